import { getEventListeners } from 'node:events'
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { dynamicShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'

const put = () => new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: '1' } } })
const query = () =>
  new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' } },
  })
const deletions = () =>
  new BatchWriteItemCommand({
    RequestItems: {
      log: Array.from({ length: 20 }, (_, at) => ({
        DeleteRequest: { Key: { pk: { S: 'k' }, sk: { N: String(at) } } },
      })),
    },
  })

async function within(work: (engine: ShardedEngine) => Promise<void>): Promise<void> {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ initial: 3 }) })
  await engine.clock.run(() => work(engine))
  await engine.close()
}

describe('a request of a sharded table', () => {
  it.each([
    ['options that are null', null],
    ['a signal that is null', { abortSignal: null }],
    [
      'a signal of the older kind, which has no listeners',
      { abortSignal: { aborted: false, onabort: null } },
    ],
  ])('may be sent with %s', (_what, options) =>
    within(async ({ process }) => {
      const db = process()
      await db.send(put(), options as never)
      expect((await db.send(query(), options as never)).Count).toBe(1)
    }),
  )

  it('waits after a throttle with a signal that has no listeners, and ends when that is aborted', () =>
    within(async ({ client, clock, process }) => {
      const db = process()
      let throttles = 3
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const { TableName } = args.input as { readonly TableName?: string }
            const isPut = commandName === 'PutItemCommand' && TableName === 'log'
            if (isPut && throttles-- > 0) throw hotPartitionError()
            return next(args)
          },
        { step: 'deserialize', priority: 'high', name: 'throttles' },
      )
      const calls: unknown[] = []
      const signal = { aborted: false, onabort: (event: unknown) => void calls.push(event) }
      await db.send(put(), { abortSignal: signal as never })
      expect(throttles).toBe(-1)
      throttles = Number.POSITIVE_INFINITY
      const answer = db.send(put(), { abortSignal: signal as never })
      const refused = expect(answer).rejects.toMatchObject({ name: 'AbortError' })
      await clock.sleep(10)
      signal.aborted = true
      signal.onabort('event')
      await refused
      expect(calls).toEqual(['event'])
    }))

  it.each([
    ['a batch of deletions', deletions()],
    ['a query', query()],
  ])('listens to a signal once, however many requests it becomes: %s', (_what, command) =>
    within(async ({ process }) => {
      const db = process()
      for (let turn = 0; turn < 2; turn++) await db.send(put())
      await db.shards('log', 'k').set(40)
      const { signal } = new AbortController()
      const listening = { now: 0, most: 0 }
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listening.most = Math.max(listening.most, ++listening.now)
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listening.now -= 1
        remove(...args)
      }
      await db.send(command as never, { abortSignal: signal })
      expect(listening).toEqual({ now: 0, most: 1 })
    }),
  )

  it('is not sent after it was aborted while it waited for the shard map', () =>
    within(async ({ client, clock, process }) => {
      const db = process()
      client.middlewareStack.add(
        (next) => async (args) => {
          if ((args.input as { TableName?: string }).TableName === 'log_shard_map') await clock.sleep(500)
          return next(args)
        },
        { step: 'initialize', name: 'slow shard map' },
      )
      const controller = new AbortController()
      const answer = db.send(put(), { abortSignal: controller.signal })
      const refused = expect(answer).rejects.toMatchObject({ name: 'AbortError' })
      await clock.sleep(100)
      controller.abort()
      await refused
      await clock.sleep(10_000)
      expect(await scanned(client, 'log')).toEqual([])
    }))

  it('leaves no listener on a signal when it is refused', () =>
    within(async ({ process }) => {
      const { signal } = new AbortController()
      const wrong = new PutItemCommand({ TableName: 'log', Item: { sk: { N: '1' } } })
      await expect(process().send(wrong, { abortSignal: signal })).rejects.toThrow(/pk/)
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }))

  it('ends when it is aborted, even while the client of the shard map does not answer', () =>
    within(async ({ client, clock }) => {
      const hanging = Object.assign(Object.create(client), { send: () => new Promise(() => {}) })
      const db = isotherm(client, {
        tables: {
          log: {
            partitionKey: 'pk',
            sortKey: 'sk',
            suffix: 'random',
            shards: dynamicShards(),
            shardMap: { table: 'log_shard_map', client: hanging as DynamoDBClient },
          },
        },
        clock,
        random: new SeededRandom(1),
      })
      for (const command of [put(), query()]) {
        const controller = new AbortController()
        const answer = db.send(command as never, { abortSignal: controller.signal })
        controller.abort(new Error('enough'))
        await expect(answer).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'enough' } })
      }
    }))
})
