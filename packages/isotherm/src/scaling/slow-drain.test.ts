import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from './shards.js'

/** A tenth of what one item of 390 KB takes in read units. */
const SLOWEST_RATE = 10
const LONGEST_MILLISECONDS = 3 * 3_600_000

type Db = ReturnType<ShardedEngine['process']>

/** Writes large items, and moves some of them at the slowest rate. Reading one takes longer than a view is valid. */
async function moved(
  { suffix, items, kilobytes }: { suffix: 'random' | 'calculated'; items: number; kilobytes: number },
  begin: (db: Db) => Promise<unknown>,
  move: (db: Db, signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const engine = await shardedEngine(
    { suffix, shards: dynamicShards({ quiet: false }), cacheTtl: '5s', lateRequests: '1s' },
    { latencyMilliseconds: 5 },
  )
  const { clock } = engine
  const outcome = await clock.run(async () => {
    const db = engine.process()
    await begin(db)
    const text = { S: 'x'.repeat(kilobytes * 1_024) }
    for (let sk = 0; sk < items; sk++) {
      const Item = { pk: { S: 'k' }, sk: { N: String(sk) }, text }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const [done, stop] = [new AbortController(), new AbortController()]
    clock.sleep(LONGEST_MILLISECONDS, done.signal).then(
      () => stop.abort(new Error('It did not end.')),
      () => {},
    )
    return move(db, stop.signal).finally(() => done.abort())
  })
  await engine.close()
  return outcome
}

it.each([
  { suffix: 'random', from: 2, to: 1 },
  { suffix: 'calculated', from: 1, to: 2 },
] as const)('a drain of large items ends at the slowest rate: %o', async ({ suffix, from, to }) => {
  const shards = (db: Db) => db.shards('log', 'k')
  const outcome = await moved(
    { suffix, items: 6, kilobytes: 390 },
    async (db) => {
      await shards(db).set(from)
      await shards(db).drain()
    },
    async (db, signal) => {
      await shards(db).set(to)
      return shards(db).drain({ unitsPerSecond: SLOWEST_RATE, signal })
    },
  )
  expect(outcome).toBe('settled')
})

it('a migration of large items ends at the slowest rate', async () => {
  const outcome = await moved(
    { suffix: 'calculated', items: 20, kilobytes: 40 },
    async () => {},
    async (db, signal) =>
      (await db.migrate('log', { initial: 2, unitsPerSecond: SLOWEST_RATE, signal })).outcome,
  )
  expect(outcome).toBe('settled')
})

it('a drain is not taken for overtaken when the shard map shows its own renewal before the response has arrived', async () => {
  const engine = await shardedEngine(
    { suffix: 'random', shards: dynamicShards({ quiet: false }), cacheTtl: '5s', lateRequests: '1s' },
    { latencyMilliseconds: 5 },
  )
  const { client, clock } = engine
  await clock.run(async () => {
    const db = engine.process()
    await db.shards('log', 'k').set(2)
    const text = { S: 'x'.repeat(2_000) }
    for (let sk = 0; sk < 600; sk++) {
      await client.send(
        new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k_2' }, sk: { N: String(sk) }, text } }),
      )
    }
    let renewals = 0
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const result = await next(args)
          const { TableName } = args.input as { readonly TableName?: string }
          if (commandName === 'UpdateItemCommand' && TableName === 'log_shard_map') {
            renewals += 1
            await clock.sleep(4_000)
          }
          return result
        },
      { step: 'initialize', name: 'slow' },
    )
    await db.shards('log', 'k').set(1)
    expect(await db.shards('log', 'k').drain({ unitsPerSecond: 100 })).toBe('settled')
    expect(renewals).toBeGreaterThan(4)
  })
  await engine.close()
})
