import type { WorkloadName } from '../settings.js'
import { type Mode, withOptions, without } from './mode.js'

const CACHE_MILLISECONDS = 1_500
const LATE_MILLISECONDS = 500

/** The library's default. */
const STALE_MILLISECONDS = 300_000

/** Reads of logs that are not consistent may miss what was put under a count that the process does not know. These read consistently. */
const CONSISTENT: readonly WorkloadName[] = ['shared-items', 'transfers']

/** Of a process: within one, a change may wait for all caches and move every item. */
const OUTAGE_MILLISECONDS = 20_000
const INTERVAL_MILLISECONDS = 8_000

/**
 * The shard map answers nothing that one process asks, for several lifetimes of a cache, while others change counts and move items. What
 * the process has cached is over, and it may only do what cannot miss anything.
 */
export const SHARD_MAP_OUTAGE: Mode = {
  workloads: ['kept-appends', 'shared-items', 'transfers', 'hot-key-ramp'],
  notPromised: [],
  apply: (drawn) => {
    const settings = withOptions(without(drawn), {
      cacheMilliseconds: CACHE_MILLISECONDS,
      lateMilliseconds: LATE_MILLISECONDS,
      staleMilliseconds: CONSISTENT.includes(drawn.workload) ? STALE_MILLISECONDS : 0,
      drainUnitsPerSecond: 1_000,
    })
    return {
      ...settings,
      processes: Math.min(4, settings.processes + 1),
      operatorMilliseconds: 2_000,
      readsPerSecond: 5,
      faults: {
        ...settings.faults,
        outageIntervalMilliseconds: INTERVAL_MILLISECONDS,
        outageMilliseconds: OUTAGE_MILLISECONDS,
      },
    }
  },
}
