import {
  type AttributeDefinition,
  CreateTableCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { type Clock, SeededRandom, SystemClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'
import { counter } from './counter/index.js'
import { large } from './large/index.js'
import { type PoolOptions, pool, poolTable } from './pool/index.js'
import { type QueueOptions, queue, queueTable } from './queue/index.js'
import { rotation } from './rotation/index.js'

/** Cannot be compressed. */
function noise(bytes: number): Uint8Array {
  const random = new SeededRandom(1)
  return Uint8Array.from({ length: bytes }, () => Math.floor(random.next() * 256))
}

const NAMES = { table: 'items', partitionKey: 'id' } as const

let local: Local
let client: DynamoDBClient
/** The operations that were sent, in order. */
let sent: string[]

beforeEach(() => {
  local = createLocal({ throttle: false, metrics: false })
  client = local.client({ maxAttempts: 1 })
  sent = []
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        sent.push(commandName.replace('Command', ''))
        return next(args)
      },
    { step: 'initialize', name: 'recorded' },
  )
})
afterEach(() => local.close())

const openCounter = (more: { sortKey?: string } = {}) => counter(client, { ...NAMES, ...more, key: 'votes' })
const openPool = (more: Partial<PoolOptions> = {}) => pool(client, { ...NAMES, ...more })
const openQueue = (more: Partial<QueueOptions> = {}) => queue<number>(client, { ...NAMES, ...more })

/** The calls of each pattern that may be the first one of a process. */
const CALLS: readonly (readonly [string, (more?: { sortKey?: string }) => Promise<unknown>])[] = [
  ['counter.add', (more) => openCounter(more).add(1)],
  ['counter.add with a token', (more) => openCounter(more).add(1, { token: 'a' })],
  ['counter.value', (more) => openCounter(more).value()],
  ['counter.estimate', (more) => openCounter(more).estimate(1)],
  ['counter.rollUp', (more) => openCounter(more).rollUp()],
  ['counter.reset', (more) => openCounter(more).reset()],
  ['pool.add', (more) => openPool(more).add(['a'])],
  ['pool.add by batches', (more) => openPool(more).add(['a'], { batches: true })],
  ['pool.claim', (more) => openPool(more).claim()],
  ['pool.use', (more) => openPool(more).use({ id: 'a', claim: 'b' })],
  ['pool.release', (more) => openPool(more).release({ id: 'a', claim: 'b' })],
  ['pool.size', (more) => openPool(more).size()],
  ['queue.enqueue', (more) => openQueue(more).enqueue(1)],
  ['queue.enqueue in order', (more) => openQueue(more).enqueue(1, { entity: 'a' })],
  ['queue.prepare', (more) => openQueue(more).prepare(1)],
  ['queue.work', (more) => openQueue(more).work(async () => {}, { untilEmpty: true })],
  ['queue.stats', (more) => openQueue(more).stats()],
  ['queue.deadLetters', (more) => openQueue(more).deadLetters()],
  ['queue.redrive', (more) => openQueue(more).redrive('a')],
]

describe.each(CALLS)('%s', (name, call) => {
  it('refuses a table that does not exist', async () => {
    await expect(call()).rejects.toMatchObject({ code: 'table.missing', details: { table: 'items' } })
    expect(sent).toEqual(['DescribeTable'])
  })

  it('refuses a table with another partition key', async () => {
    await client.send(createTable('items', ['code']))
    await expect(call()).rejects.toMatchObject({
      code: 'table.differs',
      details: { table: 'items', setting: 'partitionKey', found: 'code', given: 'id' },
      message: expect.stringContaining(
        `Set ${name.split('.')[0]}.partitionKey: 'code'. Nothing was written.`,
      ),
    })
    expect(sent).toEqual(['CreateTable', 'DescribeTable'])
  })

  it('refuses a table with a sort key that its options do not have, and the other way round', async () => {
    await client.send(createTable('items', ['id', 'part']))
    await expect(call()).rejects.toMatchObject({
      code: 'table.differs',
      details: { setting: 'sortKey', found: 'part', given: undefined },
    })
    await expect(call({ sortKey: 'at' })).rejects.toMatchObject({
      details: { setting: 'sortKey', found: 'part', given: 'at' },
    })
    expect(sent).toEqual(['CreateTable', 'DescribeTable', 'DescribeTable'])
  })

  it('refuses a table whose key is a number', async () => {
    await client.send(tableWith([{ AttributeName: 'id', AttributeType: 'N' }]))
    await expect(call()).rejects.toMatchObject({
      code: 'table.differs',
      details: { setting: 'partitionKey', found: 'id (N)', given: 'id (S)' },
    })
    expect(sent).toEqual(['CreateTable', 'DescribeTable'])
  })
})

describe.each(CALLS.filter(([name]) => !name.startsWith('counter')))('%s', (_name, call) => {
  it('refuses a table without its index, and nothing is written', async () => {
    await client.send(createTable('items', ['id']))
    await expect(call()).rejects.toMatchObject({
      code: 'table.no-index',
      details: { table: 'items', found: undefined },
      message: expect.stringContaining('has no global secondary index'),
    })
    const { Count } = await client.send(new ScanCommand({ TableName: 'items' }))
    expect(Count).toBe(0)
    expect(sent).toEqual(['CreateTable', 'DescribeTable', 'Scan'])
  })
})

describe('an index with another key', () => {
  it.each([
    ['another partition key', 'status', 'place', 'N', 'status (S), place (N)'],
    ['another sort key', 'unused', 'at', 'N', 'unused (S), at (N)'],
    ['a sort key that is text', 'unused', 'place', 'S', 'unused (S), place (S)'],
  ] as const)('is refused: %s', async (_what, partition, sort, type, found) => {
    await client.send(tableWithIndex(partition, sort, type))
    await expect(openPool().add(['a'])).rejects.toMatchObject({ code: 'table.no-index', details: { found } })
  })

  const other = { partitionKey: 'id', sortKey: 'at', suffix: 'calculated', shards: fixedShards(2) } as const
  const throughLibrary = (more: Partial<PoolOptions> = {}) =>
    pool(isotherm(client, { tables: { other } }), { ...NAMES, ...more })

  it('may be the one of a library that shards the index', async () => {
    await client.send(tableWithIndex('isotherm_unused', 'place', 'N'))
    expect(await throughLibrary().add(['a'])).toEqual({ added: 1, existing: [] })
    expect(await throughLibrary({ shards: 1 }).add(['b'])).toEqual({ added: 1, existing: [] })
  })

  it('may be one whose name only the library knows, with one shard', async () => {
    await client.send(tableWithIndex('shadow', 'place', 'N'))
    expect(await throughLibrary({ shards: 1 }).add(['a'])).toEqual({ added: 1, existing: [] })
    await expect(throughLibrary().add(['a'])).rejects.toMatchObject({ code: 'table.no-index' })
  })

  it.each([
    ['isotherm_unused', undefined],
    ['isotherm_unused', 1],
    ['shadow', 1],
  ])('is refused where the library shards nothing: %s, shards: %s', async (partition, shards) => {
    await client.send(tableWithIndex(partition, 'place', 'N'))
    await expect(openPool(shards === undefined ? {} : { shards }).add(['a'])).rejects.toMatchObject({
      code: 'table.no-index',
      details: { found: `${partition} (S), place (N)` },
      message: expect.stringContaining('use the client that isotherm() returned'),
    })
  })
})

describe('a table that fits', () => {
  it('is described once for each client, however many objects are made', async () => {
    await client.send(new CreateTableCommand(queueTable(NAMES)))
    await Promise.all([openQueue().enqueue(1), openQueue({ lease: '5s' }).enqueue(2)])
    await openQueue({ name: 'other' }).enqueue(3)
    expect(sent.filter((operation) => operation === 'DescribeTable')).toHaveLength(1)
  })

  it('may be created after a call that it was missing for', async () => {
    await expect(openPool().size()).rejects.toMatchObject({ code: 'table.missing' })
    await client.send(new CreateTableCommand(poolTable(NAMES)))
    expect(await openPool().size()).toBe(0)
  })

  it('is believed where it may not be described', async () => {
    await client.send(createTable('items', ['id']))
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName !== 'DescribeTableCommand') return next(args)
          throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })
        },
      { step: 'initialize', name: 'denied' },
    )
    expect(await openCounter().add(1)).toEqual({ isNew: true })
    expect(await openCounter().value()).toBe(1)
    expect(sent.filter((operation) => operation === 'DescribeTable')).toHaveLength(1)
  })

  it('is described again after a description that has no answer, for which a call waits until its signal aborts', async () => {
    await client.send(createTable('items', ['id']))
    let unanswered = 1
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          commandName === 'DescribeTableCommand' && unanswered-- > 0 ? new Promise(() => {}) : next(args),
      { step: 'initialize', name: 'silent' },
    )
    let now = 1_800_000_000_000
    const clock: Clock = { now: () => now, sleep: (_, signal) => new SystemClock().sleep(60_000, signal) }
    const votes = counter(client, { ...NAMES, key: 'votes', clock })
    const stop = new AbortController()
    const stopped = expect(votes.add(1, { signal: stop.signal })).rejects.toThrow('aborted')
    stop.abort()
    await stopped
    now += 9_999
    void votes.add(1)
    now += 1
    expect(await votes.add(2)).toEqual({ isNew: true })
    expect(await votes.value()).toBe(2)
    expect(sent.filter((operation) => operation === 'DescribeTable')).toHaveLength(2)
  })

  it.each([
    ['ThrottlingException', { $fault: 'client' }],
    ['ProvisionedThroughputExceededException', { $fault: 'client' }],
    ['InternalServerError', { $fault: 'server' }],
    ['ServiceUnavailable', { $metadata: { httpStatusCode: 503 } }],
    ['TimeoutError', {}],
    ['CredentialsProviderError', {}],
    ['UnrecognizedClientException', { $fault: 'client' }],
    ['ExpiredTokenException', { $fault: 'client' }],
  ])('is described again after a description that failed with %s', async (name, more) => {
    await client.send(createTable('items', ['code']))
    let failing = 1
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName !== 'DescribeTableCommand' || failing-- <= 0) return next(args)
          throw Object.assign(new Error('not now'), { name, ...more })
        },
      { step: 'initialize', name: 'failing' },
    )
    await expect(openCounter().value()).rejects.not.toMatchObject({ code: 'table.differs' })
    await expect(openCounter().value()).rejects.toMatchObject({ code: 'table.differs' })
  })
})

function tableWith(AttributeDefinitions: AttributeDefinition[]): CreateTableCommand {
  return new CreateTableCommand({
    TableName: 'items',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions,
  })
}

function tableWithIndex(partition: string, sort: string, sortType: 'S' | 'N'): CreateTableCommand {
  const { input } = tableWith([
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: partition, AttributeType: 'S' },
    { AttributeName: sort, AttributeType: sortType },
  ])
  const KeySchema = [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ]
  const index = { IndexName: 'unused', KeySchema, Projection: { ProjectionType: 'KEYS_ONLY' as const } }
  return new CreateTableCommand({ ...input, GlobalSecondaryIndexes: [index] })
}

describe('without the table that a pattern keeps for itself', () => {
  const documents = () => large(client, { table: 'items', partitionKey: 'id' })
  const log = () => rotation(client, { table: 'log', partitionKey: 'file', sortKey: 'at', period: 'month' })
  const big = { id: 'a', body: noise(500_000) }
  const entry = { file: '/a', at: '2026-11-30T00:00:00Z' }
  const range = { key: '/a', from: '2026-11-01', to: '2026-12-01' }
  const chunks =
    'The table items_chunks does not exist in this region and account. Create it with ensureChunkTable'
  const periods =
    'The table log_periods does not exist in this region and account. Create it with ensureCatalog'

  it.each([
    ['large.put', () => documents().put(big), chunks],
    ['large.collect', () => documents().collect(), chunks],
    ['rotation.put', () => log().put(entry), periods],
    ['rotation.get', () => log().get(entry), periods],
    ['rotation.query', () => log().query(range), periods],
    ['rotation.maintain', () => log().maintain(), periods],
    ['rotation.periods', () => log().periods(), periods],
  ])('%s says how it is created', async (_name, call, message) => {
    await client.send(createTable('items', ['id']))
    await expect(call()).rejects.toMatchObject({
      code: 'table.missing',
      message: expect.stringContaining(message),
      cause: { name: 'ResourceNotFoundException' },
    })
    expect((await client.send(new ScanCommand({ TableName: 'items' }))).Count).toBe(0)
  })

  it.each([
    ['put', () => documents().put({ id: 'a' })],
    ['put of an item in pieces', () => documents().put(big)],
    ['get', () => documents().get({ id: 'a' })],
    ['update', () => documents().update({ id: 'a' }, { set: { n: 1 } })],
    ['delete', () => documents().delete({ id: 'a' })],
  ])('large.%s names the table of the items, too', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 'table.missing',
      message: expect.stringMatching(/^The table items does not exist .* correct large\.table\./),
    })
  })
})
