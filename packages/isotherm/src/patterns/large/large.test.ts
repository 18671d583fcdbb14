import { createCipheriv, createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamoDBClient, GetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { VirtualClock } from '@isotherm/runtime'
import { type Item, itemBytes } from '@isotherm/semantics'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isotherm } from '../../client/isotherm.js'
import { isotherm as isothermOfParts } from '../../client/isotherm-of-parts.js'
import { items, transactions } from '../../client/parts.js'
import { fixedShards } from '../../scaling/shards.js'
import { calculated } from '../../writes/calculated.js'
import { directoryStore } from '../object-store/directory-store.js'
import type { PlainItem } from '../values/plain-item.js'
import { knownCompressions } from './codec.js'
import { ensureChunkTable } from './ensure-chunk-table.js'
import { type Large, large } from './large.js'
import type { LargeOptions } from './large-options.js'

const KB = 1_024
const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
/** Cannot be compressed. */
const noise = (bytes: number) => new Uint8Array(cipher.update(Buffer.alloc(bytes)))
const text = (bytes: number) =>
  'All work and no play makes Jack a dull boy. '.repeat(bytes / 44 + 1).slice(0, bytes)

/** The same with checksums in the place of bytes, which are compared much faster. */
function seen(item: PlainItem | undefined): unknown {
  const entries = Object.entries(item ?? {}).map(([name, value]) => {
    if (!(value instanceof Uint8Array)) return [name, value]
    return [name, createHash('sha256').update(value).digest('hex')]
  })
  return item && Object.fromEntries(entries)
}

const key = { id: 'a' }
let local: ReturnType<typeof createLocal>
let client: DynamoDBClient

beforeEach(async () => {
  local = createLocal({ throttle: false })
  client = local.client()
  await client.send(createTable('documents', ['id']))
  await ensureChunkTable(client, { table: 'documents' })
})
afterEach(() => local.close())

const documents = (options: Partial<LargeOptions> = {}, db: Parameters<typeof large>[0] = client): Large =>
  large(db, { table: 'documents', partitionKey: 'id', ...options })

/** Of all items of the chunk table. */
async function chunks(): Promise<readonly string[]> {
  const names: string[] = []
  const input = {
    TableName: 'documents_chunks',
    ProjectionExpression: '#name',
    ExpressionAttributeNames: { '#name': 'name' },
  }
  for await (const { Items = [] } of paginateScan({ client }, input))
    names.push(...Items.map(({ name }) => name?.S ?? ''))
  return names.sort()
}
const pieces = async () => (await chunks()).filter((name) => !name.startsWith('journal/'))

async function stored() {
  const { Item } = await client.send(new GetItemCommand({ TableName: 'documents', Key: { id: { S: 'a' } } }))
  return Item
}

describe('a large item', () => {
  it.each([
    { size: '399 KB less its key', bytes: 399 * KB - 7, pieces: 0 },
    { size: '401 KB', bytes: 401 * KB, pieces: 2 },
    { size: '5 MB', bytes: 5 * KB * KB, pieces: 13 },
    { size: '40 MB', bytes: 40 * KB * KB, pieces: 103 },
  ])('of $size that cannot be compressed comes back as it was, from $pieces pieces', async (shape) => {
    const value = new Uint8Array(Buffer.alloc(shape.bytes, noise(100_003)))
    await documents({ compression: 'none' }).put({ ...key, body: value })
    expect(await pieces()).toHaveLength(shape.pieces)
    const read = await documents().get(key)
    expect(Buffer.compare(read?.body as Uint8Array, value)).toBe(0)
    expect(Object.keys(read ?? {})).toEqual(['id', 'body'])
  })

  it('keeps text, lists, maps, sets and binary in them', async () => {
    const value = {
      text: text(300_000),
      list: [noise(9_000), 'b', 1, null, { base64: 'x' }],
      set: new Set(['a']),
    }
    const item = { ...key, value, other: text(500_000), noise: noise(300_000) }
    // With zstd under a Node that has it.
    for (const compression of knownCompressions()) {
      await documents({ compression }).put(item)
      expect(seen(await documents().get(key))).toEqual(seen(item))
    }
  })

  it('may have many large attributes, of which as many stay in it as have room', async () => {
    const bodies = Array.from({ length: 500 }, (_, at) => [`body${at}`, noise(4_096 + at)] as const)
    const item = { ...key, ...Object.fromEntries(bodies) }
    await documents().put(item)
    const offloaded = await pieces()
    expect(itemBytes((await stored()) as Item)).toBeLessThanOrEqual(408_576)
    // Each takes 4 KB with it, and leaves up to 256 bytes.
    expect(offloaded.length).toBeGreaterThan((500 * 4_096 - 408_576) / 4_352)
    expect(offloaded.length).toBeLessThan((500 * 4_600 - 408_576) / 4_096 + 50)
    expect(seen(await documents().get(key))).toEqual(seen(item))
  })

  it('keeps text with half of a surrogate pair, compressed and in pieces', async () => {
    const item = { ...key, body: `${text(9_000)}\ud800`, list: [`${text(5_000)}\udc00`] }
    for (const compression of ['gzip', 'none'] as const) {
      const table = documents({ compression, maxInlineBytes: 8_192 })
      await table.put(item)
      expect(await table.get(key)).toEqual(item)
    }
  })

  it('is compressed where that saves a write unit, and not otherwise', async () => {
    await documents().put({ ...key, log: text(50_000), noise: noise(50_000), small: text(3_000) })
    const item = await stored()
    expect(Object.keys(item?.log?.M ?? {})).toEqual(['isotherm_large'])
    expect(item?.log?.M?.isotherm_large?.M?.frame?.B?.length).toBeLessThan(2_000)
    expect(item?.noise?.B).toHaveLength(50_000)
    expect(item?.small?.S).toHaveLength(3_000)
    expect(await chunks()).toEqual([])
  })

  it('of several megabytes of text fits into the item', async () => {
    const body = text(4_000_000)
    await documents().put({ ...key, body })
    expect(await chunks()).toEqual([])
    expect((await documents().get(key))?.body).toBe(body)
  })

  it('gives the attributes that are asked for, and reads no pieces of others', async () => {
    await documents().put({ ...key, title: 'Minutes', body: noise(900_000), scan: noise(500_000) })
    const reads: string[] = []
    const counted = { ...Object.create(client), config: {}, middlewareStack: {} }
    counted.send = (command: never, options: never) => {
      reads.push((command as { input: { TableName: string } }).input.TableName)
      return client.send(command, options)
    }
    expect(await documents({}, counted).get(key, { attributes: ['title'] })).toEqual({ title: 'Minutes' })
    expect(reads).toEqual(['documents'])
    const { scan } = (await documents({}, counted).get(key, { attributes: ['scan', 'none'] })) ?? {}
    expect(scan).toHaveLength(500_000)
    expect(reads.filter((table) => table === 'documents_chunks')).toHaveLength(2)
  })

  it('takes its pieces with it when it is deleted or replaced', async () => {
    const clock = new VirtualClock()
    const table = documents({ clock: { now: () => clock.now(), sleep: async () => {} } })
    const late = () => clock.advance(3_600_000)

    await table.put({ ...key, body: noise(900_000) })
    late()
    await table.put({ ...key, body: noise(450_000) })
    expect(await chunks()).toHaveLength(2)
    late()
    await table.put({ ...key, body: 'small' })
    expect(await chunks()).toEqual([])
    await table.put({ ...key, body: noise(450_000) })
    late()
    await table.delete(key)
    expect(await chunks()).toEqual([])
    expect(await table.get(key)).toBeUndefined()
  })

  it('is put and deleted on a condition, and leaves no pieces when it does not hold', async () => {
    const table = documents()
    const isNew = { condition: { expression: 'attribute_not_exists(id)' } }
    const isDraft = {
      condition: { expression: '#s = :s', names: { '#s': 'state' }, values: { ':s': 'draft' } },
    }
    const failure = { name: 'ConditionalCheckFailedException' }
    await table.put({ ...key, state: 'draft', body: noise(450_000) }, isNew)
    await expect(table.put({ ...key, body: noise(450_000) }, isNew)).rejects.toMatchObject(failure)
    await expect(table.put({ ...key, body: 'small' }, isNew)).rejects.toMatchObject(failure)
    expect(await pieces()).toHaveLength(2)
    await table.put({ ...key, state: 'final', body: noise(450_000) }, isDraft)
    await expect(table.put({ ...key, body: noise(450_000) }, isDraft)).rejects.toMatchObject(failure)
    await expect(table.delete(key, isDraft)).rejects.toMatchObject(failure)
    expect(await pieces()).toHaveLength(2)
    expect((await table.get(key))?.body).toHaveLength(450_000)
  })

  it('leaves no pieces when DynamoDB refuses its condition, which is no expression', async () => {
    const refused = documents().put(
      { ...key, body: noise(900_000) },
      { condition: { expression: 'id exists' } },
    )
    await expect(refused).rejects.toMatchObject({ name: 'ValidationException' })
    expect(await pieces()).toEqual([])
  })

  it.each<[string, PlainItem, Partial<LargeOptions>, string]>([
    ['its key has another type', { id: 5, body: noise(900_000) }, {}, 'pattern.value'],
    [
      'the options name another key',
      { name: 'a', body: noise(900_000) },
      { partitionKey: 'name' },
      'table.differs',
    ],
    [
      'the table has no sort key',
      { ...key, page: 1, body: noise(900_000) },
      { sortKey: 'page' },
      'table.differs',
    ],
    [
      'there is no such table',
      { ...key, body: noise(900_000) },
      { table: 'documnets', chunkTable: 'documents_chunks' },
      'table.missing',
    ],
  ])('is refused before anything is written if %s', async (_why, item, options, code) => {
    const table = documents(options)
    for (let at = 0; at < 2; at++) await expect(table.put(item)).rejects.toMatchObject({ code })
    expect(await chunks()).toEqual([])
  })

  it('describes its table once, and is written without the right to do so', async () => {
    let described = 0
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'DescribeTableCommand') return next(args)
          described += 1
          throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })
        },
      { step: 'initialize', name: 'denied' },
    )
    const table = documents()
    for (let at = 0; at < 2; at++) await table.put({ id: `a${at}`, body: noise(450_000) })
    expect(described).toBe(1)
    expect(await pieces()).toHaveLength(4)
  })

  it('has small attributes that change on their own, and refuses to change others this way', async () => {
    const table = documents()
    const body = noise(450_000)
    await table.put({ ...key, title: 'Draft', note: 'x', body })
    await table.update(key, { set: { title: 'Final' }, remove: ['note'] })
    expect(seen(await table.get(key))).toEqual(seen({ ...key, title: 'Final', body }))
    const error = { code: 'large.in-pieces', details: { attributes: ['body'] } }
    await expect(table.update(key, { remove: ['body'] })).rejects.toMatchObject(error)
    const standIn = (
      await DynamoDBDocumentClient.from(client).send(new GetCommand({ TableName: 'documents', Key: key }))
    ).Item?.body
    await expect(table.update(key, { set: { copy: standIn } })).rejects.toMatchObject({
      code: 'large.reserved',
    })
    await expect(table.update(key, { set: { title: noise(450_000) } })).rejects.toMatchObject({
      code: 'large.in-pieces',
    })
    const isDraft = { condition: { expression: 'title = :t', values: { ':t': 'Draft' } } }
    await expect(table.update(key, { set: { title: 'x' } }, isDraft)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    })
  })

  it('that a query has read gets its values back', async () => {
    const db = DynamoDBDocumentClient.from(client)
    const table = documents({}, db)
    const body = noise(450_000)
    await table.put({ ...key, body, log: text(50_000) })
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName: 'documents',
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': 'a' },
      }),
    )
    expect(seen(await table.restore(Items[0] ?? {}))).toEqual(seen({ ...key, body, log: text(50_000) }))
  })

  it('is refused when something has changed a piece of it', async () => {
    const db = DynamoDBDocumentClient.from(client)
    await documents({ compression: 'none' }).put({ ...key, body: noise(450_000) })
    const [name] = await pieces()
    const bytes = Buffer.concat([Buffer.from([0]), noise(408_576)])
    await db.send(new PutCommand({ TableName: 'documents_chunks', Item: { name, part: 'chunk', bytes } }))
    await expect(documents().get(key)).rejects.toMatchObject({
      code: 'large.corrupt',
      details: { table: 'documents', attribute: 'body' },
    })
  })
})

describe('over a sharded client', () => {
  const sharded = {
    partitionKey: 'file',
    sortKey: 'page',
    suffix: calculated(),
    shards: fixedShards(4),
  }
  const clients = {
    isotherm: () => isotherm(client, { tables: { pages: sharded } }),
    'isotherm/core': () =>
      isothermOfParts(client, { parts: [items, transactions], tables: { pages: sharded } }),
    'a document client': () => isotherm(DynamoDBDocumentClient.from(client), { tables: { pages: sharded } }),
  }

  it.each(Object.keys(clients) as (keyof typeof clients)[])('it works with %s', async (name) => {
    await client.send(createTable('pages', ['file', 'page']))
    const table = large(clients[name](), {
      table: 'pages',
      partitionKey: 'file',
      sortKey: 'page',
      chunkTable: 'documents_chunks',
    })
    const key = { file: 'a', page: '1' }
    const item = { ...key, title: 'a', body: noise(450_000) }
    await table.put(item)
    expect(seen(await table.get(key))).toEqual(seen(item))
    await table.put({ ...item, title: 'b' })
    await table.update(key, { set: { title: 'c' } })
    expect(seen(await table.get(key, { consistent: true }))).toEqual(seen({ ...item, title: 'c' }))
    expect(await pieces()).toHaveLength(2)
    await table.delete(key)
    expect(await table.get(key)).toBeUndefined()
    expect(await pieces()).toEqual([])
  })
})

describe('in a directory', () => {
  it('values are files, and go with their item', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'isotherm-large-'))
    try {
      const table = documents({ store: directoryStore(folder) })
      const item = { ...key, body: noise(5_000_000), title: 'x' }
      await table.put(item)
      const files = () =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('/'))
      expect(files()).toHaveLength(2)
      expect(await pieces()).toEqual([])
      expect(seen(await table.get(key))).toEqual(seen(item))
      await expect(documents().get(key)).rejects.toMatchObject({ code: 'large.no-store' })
      await table.delete(key)
      expect(files()).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
