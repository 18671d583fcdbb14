import type { HotKeyOptions } from '../invariants/hot-key-watch.js'
import type { Settings } from './settings.js'

/**
 * Until a new count has taken effect, and then until the fleet has reported enough: twice, because another process may have
 * been first, and evidence then begins again.
 */
const NOTICE_MILLISECONDS = 6_000 + 2 * 20_000

/** Of a fleet in which nothing fails, once. */
const FLEET_MILLISECONDS = 15_000

/** A growth that failed for as long as this is chance in a million: then something else holds it up. */
const UNLIKELY = 1e-6

/** What it takes to read and change the count, in a try that fails: timeouts, and waits between attempts. */
const TRY_MILLISECONDS = 2_000

/** Growths that may come to nothing though no request failed: the process stood still, or its clock jumped, in the middle. */
const SPARE_TRIES = 2

/** How soon a hot key must grow in such a run; `undefined` where none has to, or programs without the library make it hot. */
export function hotKeyOptions(settings: Settings): HotKeyOptions | undefined {
  const { table, engine, itemBytes, plainShare } = settings
  const { suffix, isFixed, optionsDiffer } = table
  if (suffix !== 'random' || isFixed || plainShare > 0 || optionsDiffer) return undefined
  const [, longestJitter] = table.jitterMilliseconds
  const isOfFleet = settings.mode === 'tiny-processes'
  return {
    maxShards: table.maxShards,
    patienceMilliseconds: isOfFleet
      ? table.cooldownMilliseconds + FLEET_MILLISECONDS
      : table.cooldownMilliseconds +
        calendarError(settings) +
        NOTICE_MILLISECONDS +
        tries(settings) * (longestJitter + TRY_MILLISECONDS),
    partitionUnits: engine.partitionWriteUnits,
    itemUnits: Math.ceil((itemBytes + 100) / 1_024),
    isOfFleet,
  }
}

/** A cooldown is counted from what another process's calendar said, in whole seconds. */
function calendarError({ faults, runMilliseconds }: Settings): number {
  const clocksJump = Number.isFinite(faults.jumpIntervalMilliseconds)
  return clocksJump
    ? Number.POSITIVE_INFINITY
    : 2 * (faults.calendarMilliseconds + faults.drift * runMilliseconds) + 1_000
}

/** So many that one of them succeeds. Each needs two answers. */
function tries({ faults, maxAttempts }: Settings): number {
  const { lostRequests, lostReplies, lateRequests, serverErrors, conflicts, throttledReads } = faults
  const failing = lostRequests + lostReplies + lateRequests + serverErrors + conflicts + throttledReads
  const needed = failing === 0 ? 0 : Math.ceil(Math.log(UNLIKELY) / Math.log(2 * failing ** maxAttempts))
  return SPARE_TRIES + needed
}
