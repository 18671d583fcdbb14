import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-export-'))
const item = (id: string) => ({ pk: { S: id } })

/** The pages of a table by the key that they begin behind. A page may be empty although others follow. */
const PAGES: Readonly<Record<string, { readonly items: readonly string[]; readonly last?: string }>> = {
  start: { items: ['a', 'b'], last: 'b' },
  b: { items: [], last: 'c' },
  c: { items: ['d'], last: 'd' },
  d: { items: ['e', 'f'] },
}
const THROTTLED = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'
/** More than the SDK tries. */
const REFUSALS = 5

const asked: string[] = []
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const { ExclusiveStartKey } = JSON.parse(Buffer.concat(parts).toString())
  const start = ExclusiveStartKey?.pk.S ?? 'start'
  asked.push(start)
  if (start === 'c' && asked.filter((each) => each === 'c').length <= REFUSALS) {
    response.statusCode = 400
    return void response.end(JSON.stringify({ __type: THROTTLED, message: 'The level is exceeded.' }))
  }
  const { items, last } = PAGES[start] ?? { items: [] }
  response.end(
    JSON.stringify({
      Items: items.map(item),
      ...(last === undefined ? {} : { LastEvaluatedKey: item(last) }),
    }),
  )
})
let endpoint = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

describe('isotherm export of a table of several pages', () => {
  it.each(['all.jsonl', 'all.jsonl.gz'])('has each item of each page once, in %s', async (name) => {
    asked.length = 0
    const file = join(folder, name)
    const { code, out } = await isotherm('export', file, '--table', 'paged', '--json', '--endpoint', endpoint)
    expect({ code, out: JSON.parse(out) }).toMatchObject({ code: 0, out: { items: 5 } })
    const bytes = readFileSync(file)
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
    expect(text).toBe(
      ['a', 'b', 'd', 'e', 'f'].map((id) => `${JSON.stringify({ Item: item(id) })}\n`).join(''),
    )
    // A page that was refused is asked for again, and no other.
    expect(asked).toEqual(['start', 'b', ...Array(REFUSALS + 1).fill('c'), 'd'])
  })

  it('refuses a dash, which is the output for other commands, and would be the name of a file here', async () => {
    const { code, err } = await isotherm('export', '-', '--table', 'paged', '--endpoint', endpoint)
    expect(err).toBe(
      "isotherm: The file is '-'; an export is a file, because a part of one looks like a whole table. Name a new file, such as paged.jsonl.\n",
    )
    expect({ code, exists: existsSync('-') }).toEqual({ code: 2, exists: false })
  })
})
