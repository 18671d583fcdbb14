import { type Mode, withOptions, without } from './mode.js'

const CACHE_MILLISECONDS = 2_000
const LATE_MILLISECONDS = 1_000

/** Of the reads of a shard map. */
const SLOW_SHARE = 0.3

/** So many keys that a process uses some of them rarely. */
const KEYS = 4

/**
 * Answers of the shard map take up to a cache's lifetime. So the views of one call have different ages: one of them was cached, and is
 * over by the time the call has the others.
 */
export const SLOW_SHARD_MAP: Mode = {
  workloads: ['bulk-import', 'kept-appends', 'shared-items', 'transfers', 'steady-zipf'],
  notPromised: [],
  apply: (drawn) => {
    const settings = withOptions(without(drawn), {
      cacheMilliseconds: CACHE_MILLISECONDS,
      lateMilliseconds: LATE_MILLISECONDS,
      drainUnitsPerSecond: 1_000,
    })
    return {
      ...settings,
      processes: Math.min(4, settings.processes + 1),
      keys: KEYS,
      batchesMixKeys: true,
      operatorMilliseconds: 1_000,
      faults: {
        ...settings.faults,
        slowShardMapReads: SLOW_SHARE,
        slowMilliseconds: CACHE_MILLISECONDS,
      },
    }
  },
}
