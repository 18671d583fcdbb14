import { type Mode, SINGLE_APPENDS, withOptions, without } from './mode.js'

/** Late requests arrive up to so many times the bound after it. */
const TIMES_LATER = 5

/** Phases end while late requests are on their way. */
const CACHE_MILLISECONDS = 500
const LATE_MILLISECONDS = 1_000

/**
 * Requests arrive later than `lateRequests`. A late write may then leave an item where nobody looks for it, or beside another copy.
 * What stays promised: no phase is skipped, no acknowledged append is lost, no item is moved over another one, and two copies that stop a
 * change are reported.
 */
export const BEYOND_THE_BOUND: Mode = {
  workloads: [...SINGLE_APPENDS, 'shared-items', 'counters'],
  notPromised: [
    'an item has one copy',
    'the history covers every shard that holds an item',
    'a single item behaves as if one operation came after the other',
    'a query gives each item once',
    'what was refused has not happened',
    'every count is counted once',
    'an append is read once',
    'a write uses a view that is still valid',
  ],
  apply: (drawn) => {
    const settings = withOptions(without(drawn), {
      cacheMilliseconds: CACHE_MILLISECONDS,
      lateMilliseconds: LATE_MILLISECONDS,
      transactions: true,
    })
    return {
      ...settings,
      processes: Math.min(6, settings.processes + 1),
      operatorMilliseconds: 2_000,
      faults: { ...settings.faults, lateRequests: 0.1, beyondBound: TIMES_LATER },
    }
  },
}
