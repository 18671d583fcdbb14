import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, inject, it } from 'vitest'
import { changeCount } from '../../test/count-change-driver.js'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

/** Half of them grow, and half of them shrink. */
const RUNS = inject('trials') === 'many' ? 8 : 2
const SORTS = 10
const PROCESSES = 3
const STATUSES = ['open', 'closed'] as const
/** Longer than a complete change. */
const RUN_MILLISECONDS = 100_000
const INDEX = 'by_status'

/** The indexed attributes of an item. */
interface Indexed {
  readonly status: string | undefined
  readonly at: number
}

interface Draw {
  below(limit: number): number
  /** Never the same value twice, so that the order in the index is unambiguous. */
  at(): number
}

/** A write with the expected item afterwards, or `undefined` for a deleted item. */
interface Write {
  readonly send: (db: DynamoDBClient) => Promise<unknown>
  readonly leaves: ReadonlyMap<number, Indexed | undefined>
}

const keyOf = (sort: number): StoredItem => ({ pk: { S: 'k' }, sk: { N: String(sort) } })

const itemOf = (sort: number, { status, at }: Indexed): StoredItem => ({
  ...keyOf(sort),
  at: { N: String(at) },
  ...(status === undefined ? {} : { status: { S: status } }),
})

function drawn(draw: Draw): Indexed {
  return { status: [...STATUSES, undefined][draw.below(STATUSES.length + 1)], at: draw.at() }
}

function sorts(draw: Draw): readonly number[] {
  return [...new Set(Array.from({ length: 3 }, () => draw.below(SORTS)))]
}

function put(draw: Draw): Write {
  const [sort, item] = [draw.below(SORTS), drawn(draw)]
  const command = new PutItemCommand({ TableName: 'log', Item: itemOf(sort, item) })
  return { send: (db) => db.send(command), leaves: new Map([[sort, item]]) }
}

function setStatus(draw: Draw): Write {
  const [sort, at, status] = [draw.below(SORTS), draw.at(), STATUSES[draw.below(STATUSES.length)]]
  if (status === undefined) throw new Error('No status was drawn.')
  const command = new UpdateItemCommand({
    TableName: 'log',
    Key: keyOf(sort),
    UpdateExpression: 'SET #status = :status, #at = :at',
    ExpressionAttributeNames: { '#status': 'status', '#at': 'at' },
    ExpressionAttributeValues: { ':status': { S: status }, ':at': { N: String(at) } },
  })
  return { send: (db) => db.send(command), leaves: new Map([[sort, { status, at }]]) }
}

function removeStatus(draw: Draw): Write {
  const [sort, at] = [draw.below(SORTS), draw.at()]
  const command = new UpdateItemCommand({
    TableName: 'log',
    Key: keyOf(sort),
    UpdateExpression: 'REMOVE #status SET #at = :at',
    ExpressionAttributeNames: { '#status': 'status', '#at': 'at' },
    ExpressionAttributeValues: { ':at': { N: String(at) } },
  })
  return { send: (db) => db.send(command), leaves: new Map([[sort, { status: undefined, at }]]) }
}

function remove(draw: Draw): Write {
  const sort = draw.below(SORTS)
  const command = new DeleteItemCommand({ TableName: 'log', Key: keyOf(sort) })
  return { send: (db) => db.send(command), leaves: new Map([[sort, undefined]]) }
}

function batch(draw: Draw): Write {
  const leaves = new Map(sorts(draw).map((sort) => [sort, draw.below(3) > 0 ? drawn(draw) : undefined]))
  const log = [...leaves].map(([sort, item]) =>
    item === undefined
      ? { DeleteRequest: { Key: keyOf(sort) } }
      : { PutRequest: { Item: itemOf(sort, item) } },
  )
  return { send: (db) => db.send(new BatchWriteItemCommand({ RequestItems: { log } })), leaves }
}

function transaction(draw: Draw): Write {
  const leaves = new Map(sorts(draw).map((sort) => [sort, draw.below(3) > 0 ? drawn(draw) : undefined]))
  const TransactItems = [...leaves].map(([sort, item]) =>
    item === undefined
      ? { Delete: { TableName: 'log', Key: keyOf(sort) } }
      : { Put: { TableName: 'log', Item: itemOf(sort, item) } },
  )
  return { send: (db) => db.send(new TransactWriteItemsCommand({ TransactItems })), leaves }
}

const WRITES = [put, setStatus, setStatus, removeStatus, remove, batch, transaction]

/** Queries every item of a status in the index, in pages of a given size, while time passes between them. */
async function queried(db: DynamoDBClient, status: string, limit: number, pause: () => Promise<void>) {
  const items: StoredItem[] = []
  let start: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {}
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await db.send(
      new QueryCommand({
        TableName: 'log',
        IndexName: INDEX,
        KeyConditionExpression: '#status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': { S: status } },
        Limit: limit,
        ...start,
      }),
    )
    items.push(...Items)
    if (LastEvaluatedKey === undefined) return items
    start = { ExclusiveStartKey: LastEvaluatedKey }
    await pause()
  }
}

function wanted(model: ReadonlyMap<number, Indexed>, status: string): readonly StoredItem[] {
  return [...model]
    .filter(([, item]) => item.status === status)
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([sort, item]) => itemOf(sort, item))
}

function engineFor(seed: number, initial: number, shard: 'shadow-key' | 'attribute'): Promise<ShardedEngine> {
  const hash = shard === 'attribute' ? ['status', 'status_shard:N'] : ['isotherm_by_status']
  return shardedEngine(
    {
      suffix: 'calculated',
      shards: dynamicShards({ initial }),
      indexes: {
        [INDEX]: {
          partitionKey: 'status',
          sortKey: 'at',
          shards: fixedShards(3),
          ...(shard === 'attribute' ? { shardAttribute: 'status_shard' } : {}),
        },
      },
    },
    {
      seed,
      latencyMilliseconds: 40,
      global: { [INDEX]: { key: { hash, range: ['at:N'] } } },
    },
  )
}

describe.each(['shadow-key', 'attribute'] as const)(
  'a sharded index of a calculated key whose count changes, kept by a %s',
  (shard) => {
    it('has each item with the attribute once and in order, after every write of any process', async () => {
      for (let seed = 1; seed <= RUNS; seed++) {
        const [from, to] = seed % 2 === 0 ? [2, 5] : [5, 2]
        const engine = await engineFor(seed, from, shard)
        const { clock, random } = engine
        let writes = 0
        const below = (limit: number) => Math.floor(random.next() * limit)
        const draw: Draw = { below, at: () => ++writes }
        const model = new Map<number, Indexed>()
        await clock.run(async () => {
          const processes = Array.from({ length: PROCESSES }, () => engine.process())
          const process = () => {
            const [first] = processes
            const db = processes[below(PROCESSES)] ?? first
            if (db === undefined) throw new Error('There is no process.')
            return db
          }
          const change = changeCount(engine, from, to)
          for (const until = clock.now() + RUN_MILLISECONDS; clock.now() < until; ) {
            const { send, leaves } = (WRITES[below(WRITES.length)] ?? put)(draw)
            await send(process())
            for (const [sort, item] of leaves) {
              if (item === undefined) model.delete(sort)
              else model.set(sort, item)
            }
            for (const status of STATUSES) {
              const limit = 1 + below(SORTS)
              const pause = () => clock.sleep(random.next() * 300)
              const found = await queried(process(), status, limit, pause)
              expect({ seed, at: clock.now(), found }).toEqual({
                seed,
                at: clock.now(),
                found: wanted(model, status),
              })
            }
            await clock.sleep(random.next() * 500)
          }
          await change
          const stored = await scanned(engine.client, 'log')
          expect(stored).toHaveLength(model.size)
          expect(stored.filter((item) => 'isotherm_moving' in item)).toEqual([])
        })
        await engine.close()
      }
    }, 120_000)
  },
)
