import { type Clock, VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryCache, MemoryShardMap } from '../../../test/shared-map.js'
import type { LogicalKey } from '../../keys/key.js'
import { ShardMap } from '../shard-map/shard-map.js'
import { resize } from '../states/random-count.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { SharedStates } from './shared-states.js'

const key = { S: 'k' } as LogicalKey
const CACHE_MILLISECONDS = 30_000
const SKEW_MILLISECONDS = 1_000

/** The clock of another host: as fast as the true clock, and ahead of it by a fixed time. */
function ahead(clock: Clock, milliseconds: number): Clock {
  return { now: () => clock.now() + milliseconds, sleep: (time, signal) => clock.sleep(time, signal) }
}

/** Opens one process of a fleet that shares the shard map and the cache. */
function open(clock: Clock, store: MemoryShardMap, cache: MemoryCache) {
  const table = { shardMap: 'map', cacheMilliseconds: CACHE_MILLISECONDS }
  const secondLevel = { cache, clockSkewMilliseconds: SKEW_MILLISECONDS, timeoutMilliseconds: 50 }
  const onFailed = (error: unknown) => expect.fail(String(error))
  const shardMap = new ShardMap({
    store,
    clock,
    initial: 1,
    cacheMilliseconds: CACHE_MILLISECONDS,
    remembersMissing: true,
    growsAtOnce: true,
    shared: new SharedStates({ table, secondLevel, clock, made: () => undefined, onFailed }),
    onRead: () => {},
    onRefreshFailed: onFailed,
  })
  return { clock, shardMap }
}

/** Waits for refreshes in the background. They take no time on the virtual clock; slow refreshes are not tested here. */
const whatIsUnderWay = () => new Promise((resolve) => setImmediate(resolve))

const steps = fc.array(
  fc.record({
    pauseMilliseconds: fc.oneof(fc.nat(200), fc.nat(5_000), fc.nat(40_000)),
    process: fc.nat(3),
    what: fc.constantFrom('read', 'read', 'read', 'write', 'read consistently', 'change', 'change by hand'),
  }),
  { maxLength: 80 },
)
// Any two of these offsets differ by at most the allowed clock skew.
const offsets = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(SKEW_MILLISECONDS)))

it('however clocks differ, no process uses a count later than a lifetime after it was replaced', async () => {
  await fc.assert(
    fc.asyncProperty(steps, offsets, async (steps, offsets) => {
      const truth = new VirtualClock(1_800_000_000_000)
      const store = new MemoryShardMap()
      let current: ShardState = firstState(1, 1)
      store.state = current
      const cache = new MemoryCache()
      const processes = offsets.map((offset) => open(ahead(truth, offset), store, cache))
      // Each change adds one shard, so the count identifies the state.
      const changedAt = new Map([[1, truth.now()]])
      for (const { pauseMilliseconds, process, what } of steps) {
        await whatIsUnderWay()
        truth.advance(pauseMilliseconds)
        const { clock, shardMap } = processes[process] ?? expect.fail('no such process')
        if (what === 'change' || what === 'change by hand') {
          const next = resize(current, current.shards + 1, 0)
          if (what === 'change') expect(await shardMap.replace(key, current, next)).toEqual(next)
          current = next
          store.state = next
          changedAt.set(next.shards, truth.now())
          continue
        }
        const consistent = what === 'read consistently'
        const view = await (what === 'write' ? shardMap.forWrite(key) : shardMap.forRead(key, { consistent }))
        const outdatedFor = truth.now() - (changedAt.get(view.shards + 1) ?? truth.now())
        const usableFor = view.validUntil - clock.now()
        expect(usableFor).toBeGreaterThan(0)
        expect(outdatedFor + usableFor).toBeLessThanOrEqual(CACHE_MILLISECONDS)
        if (consistent) expect(view.shards).toBe(current.shards)
      }
    }),
    { numRuns: 300 },
  )
})
