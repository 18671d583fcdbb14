import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { pacedSender } from '../attempts/paced-sender.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { dynamicShards } from '../scaling/shards.js'
import { MovedKeys } from './moved-keys.js'

const key: SuffixableKey = { S: 'k' }
const like = key as LogicalKey

it('The items of a key with the initial count are not taken for at rest once all keys are migrated.', async () => {
  const shards = dynamicShards({ quiet: false })
  const engine = await shardedEngine({ suffix: 'calculated', shards, cacheTtl: '2s', lateRequests: '1s' })
  const { client, clock } = engine
  await clock.run(async () => {
    const db = engine.process()
    const options = { name: 'log', shardMap: 'log_shard_map', shardMapHasClient: false, partitionKey: 'pk' }
    const signal = undefined
    const sender = pacedSender({ client, clock, random: new SeededRandom(1), unitsPerSecond: 10_000, signal })
    await db.shards('log', 'k').set(4)
    await db.shards('log', 'k').drain()
    await clock.sleep(600_000)
    const moved = await MovedKeys.from({ options, like, sender, clock, signal })
    await db.shards('log', 'k').set(1)
    await db.shards('log', 'k').drain()
    const found: unknown[] = []
    for await (const { key, state } of moved.found()) found.push(key, state.shards)
    expect(found).toEqual([key, 1])
    expect(await moved.stateOf(like)).toMatchObject({ phase: 'settled', shards: 1 })
    const migrated = db.migrate('log', { initial: 3 })
    await clock.sleep(1_000)
    await expect(moved.stateOf(like)).rejects.toMatchObject({ code: 'counts.migrating' })
    await migrated
    await expect(moved.stateOf(like)).rejects.toMatchObject({ code: 'counts.migrating' })
  })
  await engine.close()
})

it.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])(
  'Keys whose counts change during the scan are found by a process whose clock is %s.',
  async (_what, wrong) => {
    const engine = await shardedEngine({ suffix: 'calculated', shards: dynamicShards({ quiet: false }) })
    const { client, clock } = engine
    await clock.run(async () => {
      const db = engine.process()
      const options = { name: 'log', shardMap: 'log_shard_map', shardMapHasClient: false, partitionKey: 'pk' }
      const signal = undefined
      const sender = pacedSender({
        client,
        clock,
        random: new SeededRandom(1),
        unitsPerSecond: 10_000,
        signal,
      })
      const wrongClock = Object.create(clock, { now: { value: () => clock.now() + wrong } })
      await db.shards('log', 'before').set(4)
      await db.shards('log', 'before').drain()
      await clock.sleep(7_200_000)
      const moved = await MovedKeys.from({ options, like, sender, clock: wrongClock, signal })
      await db.shards('log', 'k').set(4)
      await db.shards('log', 'k').drain()
      const found: unknown[] = []
      for await (const each of moved.found()) found.push(each.key)
      expect(found).toContainEqual(key)
    })
    await engine.close()
  },
)
