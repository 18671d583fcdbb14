import type { Clock } from '@isotherm/runtime'
import { VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryCache, MemoryShardMap } from '../../test/shared-map.js'
import type { LogicalKey } from '../keys/key.js'
import { changedState, firstState } from '../shard-map/shard-state.js'
import { CachedShardMapStore } from './cached-shard-map-store.js'

const key = { S: 'k' } as LogicalKey
const CACHE_MILLISECONDS = 30_000
const SKEW_MILLISECONDS = 1_000

/** A clock of another host: as fast as the true one, and as far from it as allowed. */
function shifted(clock: Clock, milliseconds: number): Clock {
  return { now: () => clock.now() + milliseconds, sleep: (time, signal) => clock.sleep(time, signal) }
}

const steps = fc.array(
  fc.record({
    pauseMilliseconds: fc.oneof(fc.nat(5_000), fc.nat(60_000)),
    process: fc.nat(3),
    what: fc.constantFrom('read', 'read', 'read', 'read consistently', 'change'),
  }),
  { maxLength: 60 },
)
// Any two of these are at most the allowed skew apart.
const offsets = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(SKEW_MILLISECONDS)))

it('however clocks differ, a count is never older than the process is told, nor shared beyond its lifetime', async () => {
  await fc.assert(
    fc.asyncProperty(steps, offsets, async (steps, offsets) => {
      const truth = new VirtualClock(1_800_000_000_000)
      const store = new MemoryShardMap()
      store.state = firstState(1, 1)
      const cache = new MemoryCache()
      const secondLevel = { cache, clockSkewMilliseconds: SKEW_MILLISECONDS, timeoutMilliseconds: 50 }
      const clocks = offsets.map((offset) => shifted(truth, offset))
      const processes = clocks.map((clock) => ({
        clock,
        store: new CachedShardMapStore({
          store,
          table: { shardMap: 'map', cacheMilliseconds: CACHE_MILLISECONDS },
          secondLevel,
          clock,
          onFailed: (error) => expect.fail(String(error)),
        }),
      }))
      const changedAt = new Map([[1, truth.now()]])
      for (const { pauseMilliseconds, process, what } of steps) {
        truth.advance(pauseMilliseconds)
        const { clock, store: cached } = processes[process] ?? expect.fail('no such process')
        const current = store.state
        if (what === 'change') {
          const next = changedState(current, (current.shards % 500) + 1, 0)
          // Past the caches, as an older version or a person would.
          if (process % 2 === 0) store.state = next
          else await cached.change(key, current, next.shards)
          changedAt.set(next.lastUpdated, truth.now())
          continue
        }
        const { state, readAt } = await cached.read(key, what === 'read consistently')
        const toldAge = clock.now() - readAt
        const replacedAt = changedAt.get((state?.lastUpdated ?? 0) + 1) ?? truth.now()
        expect(truth.now() - replacedAt).toBeLessThanOrEqual(toldAge)
        expect(toldAge).toBeLessThan(CACHE_MILLISECONDS)
        if (what === 'read consistently') expect(state).toEqual(current)
      }
    }),
    { numRuns: 300 },
  )
})
