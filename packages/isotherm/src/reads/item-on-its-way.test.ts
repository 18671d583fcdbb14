import {
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { readOneByOne } from '../../test/one-by-one.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { atRest, type ShardState } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'

const KEY = { pk: { S: 'k' }, sk: { N: '1' } }
const SHARDS = dynamicShards({ quiet: false })

const adding = (attribute: string) => ({
  TableName: 'log',
  Key: KEY,
  UpdateExpression: 'SET #added = :yes',
  ExpressionAttributeNames: { '#added': attribute },
  ExpressionAttributeValues: { ':yes': { S: 'yes' } },
})

interface OnItsWay {
  readonly state: ShardState
  readonly source: number
  readonly target: number
  /** Shards up to this one are read before the item is moved, and the others after. */
  readonly border: number
}

const GROWN_AGAIN: OnItsWay = {
  state: atRest({ shards: 5, lastUpdated: 3, history: ['1:5', '2:2', '3:5'] }),
  source: 4,
  target: 1,
  border: 2,
}
const RETIRED_TWICE: OnItsWay = {
  state: atRest({ shards: 1, lastUpdated: 3, history: ['1:5', '2:3', '3:1'] }),
  source: 5,
  target: 3,
  border: 3,
}

/** A marked item whose move another process completes while this one searches for it. */
async function whileItMoves(
  { state, source, target, border }: OnItsWay,
  work: (db: DynamoDBClient, stored: () => ReturnType<typeof scanned>) => Promise<void>,
) {
  const engine = await shardedEngine({ suffix: 'random', shards: SHARDS })
  const { client, clock } = engine
  await engine.setState(state)
  const marked = { ...KEY, pk: { S: `k_${source}` }, isotherm_moving: { S: `${target}:7` } }
  await client.send(new PutItemCommand({ TableName: 'log', Item: marked }))
  const other = engine.process()
  readOneByOne(client, border, () => other.send(new UpdateItemCommand(adding('seen'))))
  await clock.run(() => work(engine.process(), () => scanned(client, 'log')))
  await engine.close()
}

describe.each([
  ['a key that has grown again', GROWN_AGAIN],
  ['a key that was lowered twice, between two retired shards', RETIRED_TWICE],
])('an item that is being moved in %s', (_where, onItsWay) => {
  it('is read', async () => {
    await whileItMoves(onItsWay, async (db) => {
      // Eventually consistent reads, one of each shard, could show the item in none of them.
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key: KEY }))
      expect(Item).toEqual({ ...KEY, seen: { S: 'yes' } })
    })
  })

  it('is read in a batch', async () => {
    await whileItMoves(onItsWay, async (db) => {
      const RequestItems = { log: { Keys: [KEY], ProjectionExpression: 'seen' } }
      const { Responses } = await db.send(new BatchGetItemCommand({ RequestItems }))
      expect(Responses?.log).toEqual([{ seen: { S: 'yes' } }])
    })
  })

  it('is deleted', async () => {
    await whileItMoves(onItsWay, async (db, stored) => {
      await db.send(new DeleteItemCommand({ TableName: 'log', Key: KEY }))
      expect(await stored()).toEqual([])
    })
  })

  it('is updated, and not created again', async () => {
    await whileItMoves(onItsWay, async (db, stored) => {
      await db.send(new UpdateItemCommand(adding('later')))
      expect(await stored()).toMatchObject([{ seen: {}, later: {} }])
    })
  })

  it('is updated in a transaction, and not created again', async () => {
    await whileItMoves(onItsWay, async (db, stored) => {
      await db.send(new TransactWriteItemsCommand({ TransactItems: [{ Update: adding('later') }] }))
      expect(await stored()).toMatchObject([{ seen: {}, later: {} }])
    })
  })
})

describe('an item moved by a process that does not know yet that the key has grown again', () => {
  it('is read', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: SHARDS })
    const { client, clock } = engine
    let isReadBelow = false
    const patient = async (command: unknown, options?: unknown) => {
      while (command instanceof TransactWriteItemsCommand && !isReadBelow) await clock.sleep(10)
      return client.send(command as never, options as never)
    }
    const driver = isotherm<DynamoDBClient>(Object.create(client, { send: { value: patient } }), {
      tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: SHARDS } },
      clock,
    }).shards('log', 'k')
    await clock.run(async () => {
      await driver.set(5)
      await client.send(new PutItemCommand({ TableName: 'log', Item: { ...KEY, pk: { S: 'k_4' } } }))
      await driver.set(2)
      await clock.sleep(52_000)
      expect(await scanned(client, 'log')).toMatchObject([{ pk: { S: 'k_4' }, isotherm_moving: {} }])
      await engine.process().shards('log', 'k').set(5)
      readOneByOne(client, 2, async () => {
        isReadBelow = true
        await clock.sleep(100)
      })
      const get = new GetItemCommand({ TableName: 'log', Key: KEY, ConsistentRead: true })
      expect((await engine.process().send(get)).Item).toEqual(KEY)
    })
    await engine.close()
  })
})
