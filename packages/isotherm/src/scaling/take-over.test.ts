import {
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import { dynamicShards } from './shards.js'

const SECOND = 1_000

/** A phase of five minutes: far longer than a change may be without renewals. */
const OPTIONS = {
  suffix: 'calculated',
  shards: dynamicShards({ quiet: false }),
  cacheTtl: '10s',
  lateRequests: '5m',
} as const

const put = (sk: number) =>
  new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: String(sk) } } })

function processOf(engine: ShardedEngine, seed: number, options: { readonly clock?: Clock } = {}) {
  const events: IsothermEvent[] = []
  const db = isotherm<DynamoDBClient>(engine.client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...OPTIONS } },
    clock: engine.clock,
    random: new SeededRandom(seed),
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { db, events, shards: db.shards('log', 'k') }
}

/** Writes to the key every two seconds, as an application does, until the condition is true. */
async function useUntil(
  { clock }: ShardedEngine,
  db: DynamoDBClient,
  isOver: () => Promise<boolean> | boolean,
): Promise<number> {
  const from = clock.now()
  for (let sk = 1_000; !(await isOver()); sk++) {
    if (clock.now() - from > 3_600 * SECOND) throw new Error('An hour was not enough.')
    await db.send(put(sk))
    await clock.sleep(2 * SECOND)
  }
  return (clock.now() - from) / SECOND
}

const engineOf = () => shardedEngine(OPTIONS, { latencyMilliseconds: 20 })

describe('a change whose process has ended', () => {
  it('is continued by another process that uses the key, within a minute', async () => {
    const engine = await engineOf()
    await engine.clock.run(async () => {
      const begun = processOf(engine, 1)
      await begun.shards.set(4)
      await engine.clock.sleep(12 * SECOND)
      begun.db.destroy()
      const left = await begun.shards.read()
      const other = processOf(engine, 2)
      const after = await useUntil(
        engine,
        other.db,
        async () => (await other.shards.read())?.lastUpdated !== left?.lastUpdated,
      )
      expect(after).toBeGreaterThan(30)
      expect(after).toBeLessThan(60)
      await useUntil(engine, other.db, async () => (await other.shards.read())?.phase === 'settled')
      expect(other.events).toContainEqual(expect.objectContaining({ type: 'settled', shards: 4 }))
      other.db.destroy()
    })
    await engine.close()
  })
})

describe('a change whose process goes on', () => {
  it('is left alone by a process whose system time is minutes ahead', async () => {
    const engine = await engineOf()
    const { clock } = engine
    const ahead: Clock = {
      now: () => clock.now() + 180 * SECOND,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    }
    await clock.run(async () => {
      const { db, shards, events } = processOf(engine, 1)
      await shards.set(4)
      const other = processOf(engine, 2, { clock: ahead })
      await useUntil(engine, other.db, () => events.some(({ type }) => type === 'settled'))
      expect(other.events).not.toContainEqual(expect.objectContaining({ type: 'settled' }))
      other.db.destroy()
      db.destroy()
    })
    await engine.close()
  })

  it.each<[string, number, () => Promise<never>]>([
    [
      'is throttled for longer than a change may be without renewals',
      45 * SECOND,
      () => Promise.reject(hotPartitionError()),
    ],
    ['has no answer at first', 5 * SECOND, () => new Promise(() => {})],
  ])('is left alone while one page of its items %s', async (_what, milliseconds, answer) => {
    const engine = await engineOf()
    const { clock } = engine
    let until = Number.POSITIVE_INFINITY
    const { db: observing, shards: observer } = processOf(engine, 3)
    /** Answers an attempt at a page of the pass: its own reads of the marks of moves. */
    const slowPage =
      (next: (args: { input: Partial<QueryCommandInput> }) => Promise<unknown>) =>
      async (args: { input: Partial<QueryCommandInput> }) => {
        if (clock.now() < until && args.input.ConsistentRead === true && args.input.Limit === 100) {
          const { phase } = (await observer.read()) ?? {}
          if (phase === 'draining') {
            until = Math.min(until, clock.now() + milliseconds)
            await answer()
          }
        }
        return next(args)
      }
    const client = Object.create(engine.client, {
      send: {
        value: (command: QueryCommand, options: object) => {
          // Behind what the library adds to the command.
          command.middlewareStack.add(slowPage as never, { step: 'finalizeRequest', priority: 'low' })
          return engine.client.send(command, options)
        },
      },
    })
    const { db, shards, events } = processOf({ ...engine, client }, 1)
    await clock.run(async () => {
      await db.send(put(1))
      await shards.set(4)
      const other = processOf(engine, 2)
      await useUntil(engine, other.db, () => events.some(({ type }) => type === 'settled'))
      expect(clock.now()).toBeGreaterThan(until)
      expect(other.events).not.toContainEqual(expect.objectContaining({ type: 'settled' }))
      other.db.destroy()
      observing.destroy()
      db.destroy()
    })
    await engine.close()
  })
})
