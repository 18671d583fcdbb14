import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, type CreateTableCommandInput, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { transform } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, environmentFor, runModule } from './run-module.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const REGION = 'eu-central-1'
const PAGES = ['README', 'docs/sharding', 'docs/sharding-indexes', 'docs/object-mappers', 'docs/adopting']

/** Draining waits for the time that a request can be late, by the machine's clock. */
const WAITS = '.drain('

// Inside the project, so that packages resolve as they do for users.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/guides-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const
const number = (AttributeName: string) => ({ AttributeName, AttributeType: 'N' }) as const
const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' } as const,
  { AttributeName: range, KeyType: 'RANGE' } as const,
]

/** The tables of the guides, as an application has them before it uses the library. */
const TABLES: readonly Omit<CreateTableCommandInput, 'BillingMode'>[] = [
  {
    TableName: 'orders',
    KeySchema: keys('customer', 'order_id'),
    AttributeDefinitions: [text('customer'), text('order_id')],
  },
  {
    TableName: 'audit_log',
    KeySchema: keys('file_path', 'accessed_at'),
    AttributeDefinitions: [text('file_path'), number('accessed_at')],
  },
  {
    TableName: 'files',
    KeySchema: keys('folder', 'file'),
    AttributeDefinitions: [text('folder'), text('file'), text('isotherm_by_status'), number('changed_at')],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_status',
        KeySchema: keys('isotherm_by_status', 'changed_at'),
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
]

function examplesOf(page: string): readonly { readonly line: number; readonly code: string }[] {
  const guide = readFileSync(join(root, `${page}.md`), 'utf8')
  const found = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ''], index, all) => ({
    line: guide.slice(0, all[index]?.index).split('\n').length,
    code,
  }))
  return found.filter(({ code }) => !code.includes(WAITS))
}

/** Runs an example as a separate program against tables in a new engine. */
async function run(name: string, code: string): Promise<Ended> {
  const local = createLocal({ throttle: false })
  const { url } = await local.listen({ port: 0 })
  const client = local.client({ region: REGION })
  try {
    for (const table of TABLES)
      await client.send(new CreateTableCommand({ ...table, BillingMode: 'PAY_PER_REQUEST' }))
    const Item = { customer: { S: 'acme' }, order_id: { S: '2027-0042' } }
    await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    const module = join(folder, `${name}.mjs`)
    writeFileSync(module, (await transform(code, { loader: 'ts', format: 'esm' })).code)
    return await runModule(module, environmentFor(url, REGION))
  } finally {
    client.destroy()
    await local.close()
  }
}

describe.each(PAGES)('the examples of %s.md', (page) => {
  it('run as they stand against the tables that they speak of', async () => {
    const examples = examplesOf(page)
    expect(examples.length).toBeGreaterThan(0)
    for (const { line, code } of examples) {
      const { stderr } = await run(`${page.replaceAll('/', '-')}-${line}`, code)
      expect({ line, stderr: stderr.slice(0, 1_000) }).toEqual({ line, stderr: '' })
    }
  })
})

it('the README shows the same before the client is wrapped and after', async () => {
  const [before, after] = examplesOf('README')
  const shown = await Promise.all(
    [before, after].map(async (example, index) => (await run(`both-${index}`, example?.code ?? '')).stdout),
  )
  expect(shown[0]).toContain("customer: 'acme', order_id: '2027-0042', paid: 20")
  expect(shown[1]).toBe(shown[0])
})
