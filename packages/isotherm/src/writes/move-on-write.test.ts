import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { StoppedAttempt } from '../attempts/attempt-guard.js'
import { announce, drain, move } from '../protocol/states/calculated-count.js'
import { firstState, type ShardState } from '../protocol/states/shard-state.js'
import { dynamicShards } from '../scaling/shards.js'
import { logicalRecord } from '../streams/logical-record.js'

type Handler = (args: unknown) => Promise<{ output: Record<string, unknown> }>

const announced = announce(firstState(2, 1_000), 5, 2_000)
const moved = move(announced, 3_000)
const draining = drain(moved, 4_000)

const REASON = 'TableWriteKeyRangeThroughputExceeded'

/** The old and the new place of the sort key 7. */
const [OLD_PLACE, NEW_PLACE] = ['k_2', 'k_5']
const Key = { pk: { S: 'k' }, sk: { N: '7' } }
const put = (input: Partial<PutItemCommandInput> = {}) =>
  new PutItemCommand({ TableName: 'log', Item: { ...Key, v: { N: '2' } }, ...input })
const update = () =>
  new UpdateItemCommand({
    TableName: 'log',
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  })

/** The names of the commands that are sent to the table. The given number of writes is throttled. */
function watch(client: DynamoDBClient, throttles = 0): string[] {
  const sent: string[] = []
  let left = throttles
  client.middlewareStack.add(
    ((next: Handler, { commandName }: { commandName: string }) =>
      (args: unknown) => {
        sent.push(commandName.replace('Command', ''))
        const { TableName } = (args as { input: { TableName?: string } }).input
        const isWrite = TableName === 'log' && /PutItem|UpdateItem/.test(commandName)
        // As the library's check of each attempt passes a throttle on.
        if (isWrite && left-- > 0) throw new StoppedAttempt({ error: hotPartitionError(), reasons: [REASON] })
        return next(args)
      }) as never,
    { step: 'finalizeRequest', priority: 'low' },
  )
  return sent
}

const METADATA = { $metadata: { httpStatusCode: 400 }, message: 'no room' }
const full = () => {
  const CancellationReasons = [{ Code: 'ItemCollectionSizeLimitExceeded' }, { Code: 'None' }]
  return new TransactionCanceledException({ ...METADATA, CancellationReasons })
}
const tooLarge = () => Object.assign(new Error('no room'), { name: 'ValidationException', ...METADATA })

/** Refuses each transaction that writes to the new place. */
function refuseAtNewPlace(client: DynamoDBClient, error: () => Error): void {
  client.middlewareStack.add(
    ((next: Handler) => (args: { input: object }) => {
      const isRefused = 'TransactItems' in args.input && JSON.stringify(args.input).includes(NEW_PLACE)
      return isRefused ? Promise.reject(error()) : next(args)
    }) as never,
    { step: 'finalizeRequest', priority: 'low' },
  )
}

async function within(state: ShardState, work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards() })
  await engine.clock.run(async () => {
    await engine.setState(state)
    await work(engine)
  })
  await engine.close()
}

const storeOld = ({ client }: ShardedEngine) =>
  client.send(new PutItemCommand({ TableName: 'log', Item: { ...Key, pk: { S: OLD_PLACE }, v: { N: '1' } } }))

const places = async ({ client }: ShardedEngine) =>
  (await scanned(client, 'log')).filter(({ sk }) => sk?.N === Key.sk.N).map(({ pk }) => pk?.S)

/** A process whose first write of the key, an item of its own, was throttled. */
async function hotProcess(engine: ShardedEngine): Promise<ReturnType<ShardedEngine['process']>> {
  const db = engine.process()
  // With the sort key 4 it has one place, before and after the change.
  const other = { ...Key, sk: { N: '4' } }
  await db.send(new PutItemCommand({ TableName: 'log', Item: other }))
  return db
}

describe('a write that finds its item at the old place', () => {
  it.each([moved, draining])(
    'replaces it at the new one in one transaction, if the key is throttled',
    (state) =>
      within(state, async (engine) => {
        await storeOld(engine)
        const sent = watch(engine.client, 1)
        const db = await hotProcess(engine)
        sent.length = 0
        await db.send(put())
        expect(sent).toEqual(['BatchGetItem', 'TransactWriteItems'])
        expect(await places(engine)).toEqual([NEW_PLACE])
        expect(await places(engine)).not.toContain(OLD_PLACE)
        const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key, ConsistentRead: true }))
        expect(Item).toEqual({ ...Key, v: { N: '2' } })
      }),
  )

  it('is explained up to the mark of the move, after which everything depends on its result', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      const requests = await db.explain(update())
      expect(requests.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'UpdateItem'])
      expect(await places(engine)).toEqual([OLD_PLACE])
    }))

  it('is a write of the application to the consumers of the stream, though it arrives like a copy', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      await db.send(put())
      const NewImage = (await scanned(engine.client, 'log')).find(({ pk }) => pk?.S === NEW_PLACE)
      const Keys = { ...Key, pk: { S: NEW_PLACE } }
      expect(NewImage).toMatchObject({ v: { N: '2' }, isotherm_moved: {} })
      const record = { eventName: 'INSERT', dynamodb: { Keys, NewImage } } as const
      expect(logicalRecord(record, { partitionKey: 'pk', sortKey: 'sk' })).toMatchObject({
        cause: 'application',
        dynamodb: { NewImage: { ...Key, v: { N: '2' } } },
      })
    }))

  it('replaces it only if the condition of the application holds, and returns what the service would', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      const condition = (v: string) => ({
        ConditionExpression: 'v = :v',
        ExpressionAttributeValues: { ':v': { N: v } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      })
      await expect(db.send(put(condition('9')))).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        Item: { ...Key, v: { N: '1' } },
      })
      expect(await places(engine)).toEqual([OLD_PLACE])
      await db.send(put(condition('1')))
      expect(await places(engine)).toEqual([NEW_PLACE])
    }))

  it('returns the metrics of its item collection, if the application asks for them', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      // The engine returns them for tables with local indexes only.
      const SizeEstimateRangeGB = [0, 1]
      const asked: unknown[] = []
      const metrics = ((next: Handler, { commandName }: { commandName: string }) =>
        async (args: { input: { ReturnItemCollectionMetrics?: string } }) => {
          const answer = await next(args)
          if (commandName !== 'TransactWriteItemsCommand') return answer
          asked.push(args.input.ReturnItemCollectionMetrics)
          const of = (pk: string) => ({ ItemCollectionKey: { pk: { S: pk } }, SizeEstimateRangeGB })
          const ItemCollectionMetrics = { log: [of(NEW_PLACE), of(OLD_PLACE)] }
          return { ...answer, output: { ...answer.output, ItemCollectionMetrics } }
        }) as never
      engine.client.middlewareStack.add(metrics, { step: 'initialize' })
      const { ItemCollectionMetrics } = await db.send(put({ ReturnItemCollectionMetrics: 'SIZE' }))
      expect(asked).toEqual(['SIZE'])
      expect(ItemCollectionMetrics).toEqual({ ItemCollectionKey: { pk: Key.pk }, SizeEstimateRangeGB })
      expect(await places(engine)).toEqual([NEW_PLACE])
    }))

  it('moves it first if it needs something of the old item, once for all writers of the process', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      const sent = watch(engine.client, 1)
      const db = await hotProcess(engine)
      sent.length = 0
      await Promise.all([update(), update(), update(), update()].map((command) => db.send(command)))
      expect(sent.filter((name) => name === 'TransactWriteItems')).toHaveLength(1)
      expect(await places(engine)).toEqual([NEW_PLACE])
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key, ConsistentRead: true }))
      expect(Item).toEqual({ ...Key, v: { N: '1' }, n: { N: '4' } })
    }))

  it('moves it first in a transaction, too', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      const { UpdateExpression, ExpressionAttributeValues } = update().input
      const Update = { TableName: 'log', Key, UpdateExpression, ExpressionAttributeValues }
      await db.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }))
      expect(await places(engine)).toEqual([NEW_PLACE])
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key, ConsistentRead: true }))
      expect(Item).toEqual({ ...Key, v: { N: '1' }, n: { N: '1' } })
    }))

  it('writes it there if its new place has no room, and does not try again soon', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      const sent = watch(engine.client, 1)
      refuseAtNewPlace(engine.client, full)
      const db = await hotProcess(engine)
      sent.length = 0
      await db.send(update())
      expect(sent.filter((name) => name !== 'BatchGetItem')).toEqual([
        'UpdateItem',
        'TransactWriteItems',
        'UpdateItem',
        'UpdateItem',
      ])
      sent.length = 0
      await db.send(update())
      const { UpdateExpression, ExpressionAttributeValues } = update().input
      const Update = { TableName: 'log', Key, UpdateExpression, ExpressionAttributeValues }
      await db.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }))
      expect(sent).toEqual(['BatchGetItem', 'UpdateItem', 'BatchGetItem', 'TransactWriteItems'])
      expect(await places(engine)).toEqual([OLD_PLACE])
      const { Item } = await db.send(new GetItemCommand({ TableName: 'log', Key, ConsistentRead: true }))
      expect(Item).toEqual({ ...Key, v: { N: '1' }, n: { N: '3' } })
    }))

  it('writes it there in a transaction, too, if its new place has no room', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      refuseAtNewPlace(engine.client, full)
      const db = await hotProcess(engine)
      const { UpdateExpression, ExpressionAttributeValues } = update().input
      const Update = { TableName: 'log', Key, UpdateExpression, ExpressionAttributeValues }
      await db.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }))
      expect(await places(engine)).toEqual([OLD_PLACE])
    }))

  it.each([
    ['its new place has none for it', () => full()],
    ['it has none for the mark', () => tooLarge()],
  ])('replaces it there if there is no room: %s', (_why, refusal) =>
    within(moved, async (engine) => {
      await storeOld(engine)
      const sent = watch(engine.client, 1)
      refuseAtNewPlace(engine.client, refusal)
      const db = await hotProcess(engine)
      sent.length = 0
      await db.send(put())
      expect(sent).toEqual(['BatchGetItem', 'TransactWriteItems', 'PutItem'])
      expect(await places(engine)).toEqual([OLD_PLACE])
    }),
  )

  it('throws any other error of that transaction', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      refuseAtNewPlace(engine.client, () => new Error('no network'))
      const db = await hotProcess(engine)
      await expect(db.send(put())).rejects.toThrow('no network')
      expect(await places(engine)).toEqual([OLD_PLACE])
    }))

  it('leaves it there if nothing was throttled lately', () =>
    within(moved, async (engine) => {
      await storeOld(engine)
      const sent = watch(engine.client, 1)
      const db = await hotProcess(engine)
      await engine.clock.sleep(10_000)
      sent.length = 0
      await db.send(put())
      expect(sent.filter((name) => name !== 'GetItem')).toEqual(['BatchGetItem', 'PutItem'])
      expect(await places(engine)).toEqual([OLD_PLACE])
    }))

  it('leaves it there while the change is only announced', () =>
    within(announced, async (engine) => {
      await storeOld(engine)
      watch(engine.client, 1)
      const db = await hotProcess(engine)
      await db.send(put())
      await db.send(update())
      expect(await places(engine)).toEqual([OLD_PLACE])
    }))
})

describe('a write that creates an item with two places', () => {
  it.each([
    { name: 'a transaction', state: announced, command: 'TransactWriteItems' },
    { name: 'a transaction', state: moved, command: 'TransactWriteItems' },
    { name: 'a plain put', state: draining, command: 'PutItem' },
  ])('is $name in the phase $state.phase', ({ state, command }) =>
    within(state, async (engine) => {
      const sent = watch(engine.client)
      await engine.process().send(put())
      // Both places are read, and then the new one again.
      expect(sent.filter((name) => !/GetItem/.test(name))).toEqual([command])
      expect(await places(engine)).toEqual([state === announced ? OLD_PLACE : NEW_PLACE])
    }),
  )
})
