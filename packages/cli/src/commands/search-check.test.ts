import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm as library } from 'isotherm'
import { defineDirectory, directory, directoryTable, stored } from 'isotherm/search'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDING_SIGNALS } from '../interruption.js'
import { isotherm } from '../isotherm.fixture.js'
import { main } from '../main.js'

const local = createLocal({ throttle: false })
let endpoint = ''
// Modules there find the package `isotherm`.
const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url))
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'directories-'))
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const CONTACTS = 600
const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true }, notes: stored<string>() },
})
const contactsFile = fileOf(
  'contacts.mjs',
  `import { defineDirectory, stored } from 'isotherm/search'
export default defineDirectory({ table: 'contacts', fields: { name: { required: true }, notes: stored() } })
`,
)
const SEARCH = `{ partitionKey: 'SearchType', sortKey: 'SearchValue', shards: dynamicShards() }`
const optionsFile = fileOf(
  'options.mjs',
  `import { dynamicShards } from 'isotherm'
export default { partitionKey: 'ID', sortKey: 'DataType', indexes: { search: ${SEARCH} } }
`,
)

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(new CreateTableCommand(directoryTable(definition)))
  // More than a page of a scan.
  const rows = Array.from({ length: CONTACTS }, (_, at) => ({
    id: `p'${at}`,
    fields: { name: `Person ${at}`, notes: 'x'.repeat(3_000) },
  }))
  await directory(client, definition).tenant('acme').import(rows)
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await local.close()
})

const check = (...args: readonly string[]) =>
  isotherm('search', 'check', '--definition', contactsFile, '--endpoint', endpoint, ...args)

async function damage(client: DynamoDBClient, TableName: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const Key = { ID: { S: `acme#${id}` }, DataType: { S: '^per' } }
    await client.send(new DeleteItemCommand({ TableName, Key }))
  }
}

describe('isotherm search check', () => {
  it('finds what is missing, exits with 1, repairs it, and finds nothing then', async () => {
    expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('agree with its items') })
    await damage(local.client(), 'contacts', ["p'3", "p'9"])
    const found = await check()
    expect(found.code).toBe(1)
    expect(found.out).toContain('Search items: 2 missing, 0 too many. Links with an old name: 0.')
    expect(found.out).toContain('Nothing was written.')
    expect(await check('--tenant', 'other', '--json')).toMatchObject({ code: 0 })
    const repaired = await check('--repair')
    expect(repaired).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 items of contacts were repaired.'),
    })
    const { code, out } = await check('--json')
    expect(JSON.parse(out)).toEqual({
      table: 'contacts',
      repair: false,
      scanned: CONTACTS * 5,
      compared: CONTACTS,
      missing: 0,
      extra: 0,
      outdated: 0,
      repaired: 0,
    })
    expect(code).toBe(0)
  }, 60_000)

  it('says what helps if the table has no index of the definition', async () => {
    await local.client().send(createTable('bare', ['ID', 'DataType']))
    const { code, out, err } = await check('--table', 'bare')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^isotherm: bare has no index \w+, which the definition names\. Create it, correct/)
  })

  it('prints its progress in a terminal; Ctrl-C ends it with the command that resumes it', async () => {
    let [text, progress] = ['', '']
    const before = process.listeners('SIGINT')
    const err = new Writable({
      write: (chunk, _encoding, done) => {
        text += chunk
        if (progress === '' && text.includes('items read')) {
          progress = text
          process.emit('SIGINT', 'SIGINT')
        }
        done()
      },
    })
    const out = new Writable({ write: (_chunk, _encoding, done) => done() })
    const args = ['search', 'check', '--definition', contactsFile, '--endpoint', endpoint]
    const code = await main(args, { out, err, display: err as unknown as WriteStream })
    for (const signal of ENDING_SIGNALS)
      for (const listener of process.listeners(signal))
        if (!before.includes(listener as (typeof before)[0])) process.off(signal, listener)
    expect(code).toBe(130)
    const [, compared = ''] = progress.match(/items read, (\d+) compared with their search items/) ?? []
    expect(Number(compared)).toBeGreaterThan(0)
    const [, start = ''] = text.match(/The same command with --start (\S+) resumes it\./) ?? []
    const rest = await check('--start', start, '--json')
    expect(rest.code).toBe(0)
    expect(JSON.parse(rest.out)).toMatchObject({ compared: CONTACTS - Number(compared) })
  }, 60_000)

  it('repairs a directory whose index the library shards with the options of its table', async () => {
    const client = local.client()
    const own = { ...definition, table: 'restored' }
    await client.send(new CreateTableCommand(directoryTable(own, { indexPartitionKey: 'isotherm_search' })))
    await ensureShardMap(client, { table: 'restored' })
    const search = { partitionKey: 'SearchType', sortKey: 'SearchValue', shards: dynamicShards() }
    const db = library<DynamoDBClient>(client, {
      tables: { restored: { partitionKey: 'ID', sortKey: 'DataType', indexes: { search } } },
    })
    await directory(db, own).tenant('acme').create({ name: 'Person' }, { id: 'p' })
    await damage(client, 'restored', ['p'])
    const refused = await check('--table', 'restored', '--repair')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is isotherm_search') })
    expect(await check('--table', 'restored', '--options', optionsFile, '--repair')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 items of restored were repaired.'),
    })
    const hits = async () => (await directory(db, own).tenant('acme').search('per')).hits.length
    await expect.poll(hits).toBe(1)
    db.destroy()
  }, 60_000)

  it.each([
    ['without a definition', () => ['search', 'check'], "option '--definition <file>' not specified", 2],
    [
      'with a module that is not there',
      () => ['search', 'check', '--definition', join(folder, 'none.mjs')],
      'cannot be loaded',
      1,
    ],
    [
      'with a module that exports something else',
      () => ['search', 'check', '--definition', optionsFile],
      'export default defineDirectory(',
      2,
    ],
    [
      'with a table that is not there',
      () => ['search', 'check', '--definition', contactsFile, '--table', 'none', '--endpoint', endpoint],
      'ResourceNotFoundException',
      1,
    ],
    [
      'with a start that no check printed',
      () => ['search', 'check', '--definition', contactsFile, '--start', 'e30'],
      "--start is 'e30'",
      2,
    ],
    ['with an unknown word', () => ['search', 'repair'], "There is no command 'repair'", 2],
  ])('says in one sentence what is wrong %s', async (_what, args, message, exitCode) => {
    const { code, err } = await isotherm(...args())
    expect(err).toContain(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(exitCode)
  })
})
