import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { bareClient, sdkClient } from '../../../test/fake-client.js'
import { FakeTables } from '../../../test/fake-tables.js'
import { MemoryShardMap } from '../../../test/shared-map.js'
import { isotherm } from '../../client/isotherm.js'
import type { LogicalKey } from '../../keys/key.js'
import { dynamicShards } from '../../scaling/shards.js'
import { firstState } from '../states/shard-state.js'
import { CARD_KEY } from '../table-card/own-keys.js'
import { ensureShardMap } from './ensure-shard-map.js'
import { ShardMap } from './shard-map.js'

async function setUp() {
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  const clock = new VirtualClock(1_800_000_000_000)
  const client = await sdkClient(tables)
  const open = () =>
    isotherm(DynamoDBDocumentClient.from(client), {
      tables: {
        log: {
          partitionKey: 'pk',
          sortKey: 'at',
          suffix: 'random',
          shards: dynamicShards({ initial: 2 }),
          cacheTtl: '30s',
        },
      },
      clock,
      random: new SeededRandom(3),
    })
  const requestsOf = (operation: string) =>
    tables.requests.filter(
      (request) => request.operation === operation && request.input.TableName === 'log_shard_map',
    )
  const setCount = (shards: number, lastUpdated: number, history: readonly string[] = []) =>
    tables.execute('PutItem', {
      TableName: 'log_shard_map',
      Item: {
        pk: { S: 'k' },
        number_of_shards: { N: String(shards) },
        last_updated: { N: String(lastUpdated) },
        ...(history.length === 0 ? {} : { shard_history: { SS: [...history] } }),
      },
    })
  return { tables, clock, open, requestsOf, setCount }
}

const put = (at: number) => new PutCommand({ TableName: 'log', Item: { pk: 'k', at } })
const read = (more: object = {}) =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': 'k' },
    ...more,
  })

describe('the shard map', () => {
  it('gets no item for a key that is refused, and is not asked for it', async () => {
    const { tables, open } = await setUp()
    const Item = { pk: 'x'.repeat(2_047), at: 1 }
    const refused = { code: 'key.too-long' }
    await expect(open().send(new PutCommand({ TableName: 'log', Item }))).rejects.toMatchObject(refused)
    const query = read({ ExpressionAttributeValues: { ':pk': Item.pk } })
    await expect(open().send(query)).rejects.toMatchObject(refused)
    expect(tables.items('log_shard_map')).toMatchObject([{ pk: { S: CARD_KEY } }])
    const sent = tables.requests.filter(({ input }) => input.TableName === 'log')
    expect(sent.map(({ operation }) => operation)).toEqual(['DescribeTable', 'Scan'])
  })

  it('gets an item with the four attributes when the count of a key is changed, and none before', async () => {
    const { tables, open } = await setUp()
    const db = open()
    await db.send(put(1))
    expect(tables.items('log_shard_map')).toMatchObject([{ pk: { S: CARD_KEY } }])
    await db.shards('log', 'k').set(3)
    expect(tables.items('log_shard_map').find(({ number_of_shards }) => number_of_shards)).toEqual({
      pk: { S: 'k' },
      number_of_shards: { N: '3' },
      last_updated: { N: '1800000001' },
      shard_history: { SS: ['1800000000:2', '1800000001:3'] },
      last_write: { S: expect.any(String) },
    })
  })

  it('is asked once for its card, however many writes begin at the same time', async () => {
    const { open, requestsOf } = await setUp()
    const db = open()
    await Promise.all(Array.from({ length: 10 }, (_, at) => db.send(put(at))))
    await db.send(put(11))
    expect(requestsOf('GetItem')).toHaveLength(1)
    expect(requestsOf('PutItem')).toHaveLength(1)
  })

  it('holds one card, whoever was first, when two processes meet a new table', async () => {
    const { tables, open } = await setUp()
    await Promise.all([open().send(put(1)), open().send(put(2))])
    expect(tables.items('log_shard_map')).toHaveLength(1)
  })

  it('is not written by a reader', async () => {
    const { tables, open } = await setUp()
    const { Count } = await open().send(read())
    expect(Count).toBe(0)
    expect(tables.items('log_shard_map')).toMatchObject([{ pk: { S: CARD_KEY } }])
  })

  it('is asked anew in the background in the second half of its life, and waited for after it', async () => {
    const { clock, open, requestsOf, setCount } = await setUp()
    const db = open()
    await db.send(put(1))
    setCount(5, 1_800_000_001)
    clock.advance(14_000)
    await db.send(put(2))
    expect(requestsOf('GetItem')).toHaveLength(1)
    clock.advance(2_000)
    await db.send(put(3))
    expect(requestsOf('GetItem')).toHaveLength(2)
    clock.advance(3_600_000)
    await db.send(read())
    expect(requestsOf('GetItem')).toHaveLength(3)
  })

  it('is asked in the background once a second at most while that fails', async () => {
    const clock = new VirtualClock()
    const store = new MemoryShardMap()
    store.state = firstState(4, 1)
    const failed: unknown[] = []
    const shardMap = new ShardMap({
      store,
      clock,
      initial: 1,
      cacheMilliseconds: 30_000,
      remembersMissing: true,
      growsAtOnce: true,
      onRead: () => {},
      onRefreshFailed: (error) => failed.push(error),
    })
    const key = { S: 'k' } as LogicalKey
    await clock.run(async () => {
      await shardMap.forWrite(key)
      const working = store.read.bind(store)
      const denied = new Error('denied')
      store.read = async () => {
        throw denied
      }
      await clock.sleep(15_000)
      for (let request = 0; request < 300; request++) {
        expect(shardMap.forWrite(key)).toMatchObject({ shards: 4 })
        await clock.sleep(10)
      }
      expect(failed).toEqual([denied, denied, denied])
      store.read = working
      store.state = firstState(7, 2)
      shardMap.forWrite(key)
      await clock.sleep(1)
      expect(shardMap.forWrite(key)).toMatchObject({ shards: 7 })
    })
  })

  it('is read consistently for a consistent query, whatever the cache says', async () => {
    const { tables, open, requestsOf, setCount } = await setUp()
    const db = open()
    await db.send(put(1))
    setCount(5, 1_800_000_001)
    tables.execute('PutItem', { TableName: 'log', Item: { pk: { S: 'k_5' }, at: { N: '9' } } })
    expect((await db.send(read())).Items?.map(({ at }) => at)).toEqual([1])
    expect((await db.send(read({ ConsistentRead: true }))).Items?.map(({ at }) => at)).toEqual([1, 9])
    expect(requestsOf('GetItem').at(-1)?.input.ConsistentRead).toBe(true)
  })

  // The cache knows two shards.
  it.each([3, 4])(
    'is asked anew when a cursor tells of shard %i, which the cache does not know',
    async (cursor) => {
      const { tables, open, setCount } = await setUp()
      const db = open()
      await db.send(put(1))
      setCount(5, 1_800_000_001)
      for (const shard of [3, 4, 5]) {
        tables.execute('PutItem', {
          TableName: 'log',
          Item: { pk: { S: `k_${shard}` }, at: { N: String(shard) } },
        })
      }
      const { Items } = await db.send(read({ ExclusiveStartKey: { pk: `k_${cursor}`, at: 3 } }))
      expect(Items?.map(({ at }) => at)).toEqual([4, 5])
    },
  )

  it('covers the shards that a key once had, by its history', async () => {
    const { tables, open, setCount } = await setUp()
    setCount(1, 1_800_000_002, ['1799999999:2', '1800000000:4', '1800000002:1'])
    tables.execute('PutItem', { TableName: 'log', Item: { pk: { S: 'k_4' }, at: { N: '9' } } })
    expect((await open().send(read())).Count).toBe(1)
  })

  it('is named, with the cure, when it does not exist', async () => {
    const { clock } = await setUp()
    const tables = new FakeTables().create('log', { partitionKey: 'pk', sortKey: 'at' })
    const client = await sdkClient(tables)
    const options = {
      tables: { log: { partitionKey: 'pk', sortKey: 'at', suffix: 'random', shards: dynamicShards() } },
      clock,
    } as const
    const db = isotherm(DynamoDBDocumentClient.from(client), options)
    await expect(db.send(put(1))).rejects.toMatchObject({
      code: 'shard-map.missing',
      message: expect.stringMatching(
        /ensureShardMap\(client, \{ table: 'log' \}\).* If it was deleted, .*: isotherm shards rebuild --table log --options FILE/,
      ),
      cause: { name: 'ResourceNotFoundException' },
    })
    const elsewhere = { log: { ...options.tables.log, shardMap: 'counts' } }
    await expect(isotherm(client, { ...options, tables: elsewhere }).send(put(1))).rejects.toThrow(
      "Create it once with ensureShardMap(client, { table: 'log', shardMap: 'counts' }),",
    )
    expect(await ensureShardMap(client, { table: 'log', clock })).toBe('log_shard_map')
    await db.send(put(1))
    expect(await ensureShardMap(client, { table: 'log', clock })).toBe('log_shard_map')
  })

  it('is refused when the table of its name has another key', async () => {
    const tables = new FakeTables()
      .create('log', { partitionKey: 'pk', sortKey: 'at' })
      .create('log_shard_map', { partitionKey: 'id' })
    await expect(ensureShardMap(await sdkClient(tables), { table: 'log' })).rejects.toMatchObject({
      code: 'shard-map.schema',
    })
  })

  it('is waited for and created anew when it is being deleted', async () => {
    const tables = new FakeTables()
      .create('log', { partitionKey: 'pk', sortKey: 'at' })
      .create('log_shard_map', { partitionKey: 'pk', status: 'DELETING' })
    const clock = new VirtualClock()
    await clock.run(async () => {
      const ensured = ensureShardMap(bareClient(tables), { table: 'log', clock })
      await clock.sleep(1_200)
      tables.drop('log_shard_map')
      expect(await ensured).toBe('log_shard_map')
    })
    expect(tables.items('log_shard_map')).toEqual([])
  })
})
