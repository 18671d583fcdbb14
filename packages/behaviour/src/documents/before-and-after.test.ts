import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { ensureShardMap } from 'isotherm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inherited } from '../engines/environment.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** The pages with differences that show how an application changes. */
const PAGES = ['README.md', 'docs/sharding.md']
const DIFFERENCE = /^<!-- before and after -->\n\n```diff\n(.*?)^```$/ms

const local = createLocal()
let client: DynamoDBClient
let url: string
let folder: string

beforeAll(async () => {
  url = (await local.listen({ port: 0 })).url
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials })
  // Inside the project, so that packages resolve as they do for users.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  folder = mkdtempSync(join(root, 'node_modules/.cache/before-and-after-'))
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  client.destroy()
  await local.close()
})

/** Runs one side of a difference, and returns its output and the keys under which it stored its items. */
async function outcome(difference: string, side: '-' | '+') {
  await local.reset()
  await client.send(createTable('audit_log', ['file_path', 'at:N']))
  await ensureShardMap(client, { table: 'audit_log' })
  const lines = difference.split('\n').filter((line) => [' ', side, undefined].includes(line[0]))
  const file = join(folder, side === '-' ? 'before.mjs' : 'after.mjs')
  writeFileSync(file, lines.map((line) => line.slice(1)).join('\n'))
  const env = {
    ...inherited,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
  }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'audit_log' }))
  return { printed: stdout, stored: new Set(Items.map(({ file_path }) => file_path?.S)) }
}

it('what an application changes is what the pages show, and it reads what it read before', async () => {
  const differences = PAGES.map((page) => DIFFERENCE.exec(readFileSync(join(root, page), 'utf8'))?.[1])
  const shown = differences.filter((difference) => difference !== undefined)
  expect(shown.length).toBeGreaterThan(0)
  for (const difference of shown) {
    const before = await outcome(difference, '-')
    const after = await outcome(difference, '+')
    expect(before.printed).toContain("file_path: '/sale'")
    expect(after.printed).toBe(before.printed)
    expect(before.stored).toEqual(new Set(['/sale']))
    expect(after.stored).toEqual(new Set(['/sale_1']))
  }
})
