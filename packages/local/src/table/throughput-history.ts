import type { Throughput } from '../capacity/throughput.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'

/**
 * When provisioned throughput was increased and decreased, and how often it was decreased. Plain data. Times are in
 * milliseconds.
 */
export interface ThroughputHistory {
  readonly lastIncreaseAt?: number
  readonly lastDecreaseAt?: number
  /** Decreases on the UTC day of the last one. */
  readonly decreasesToday?: number
}

const DAY = 86_400_000

/** The history after a change. A decrease of both dimensions counts once. A change of mode does not count. */
export function historyAfter(
  history: ThroughputHistory,
  before: Throughput,
  after: Throughput,
  now: number,
): ThroughputHistory {
  const { lastIncreaseAt, lastDecreaseAt, decreasesToday } = history
  const rises = after.readUnits > before.readUnits || after.writeUnits > before.writeUnits
  const increase = rises ? now : lastIncreaseAt
  const falls = isDecrease(before, after)
  const decrease = falls ? now : lastDecreaseAt
  const count = falls ? decreasesOn(now, history) + 1 : decreasesToday
  return {
    ...(increase === undefined ? {} : { lastIncreaseAt: increase }),
    ...(decrease === undefined ? {} : { lastDecreaseAt: decrease }),
    ...(count === undefined ? {} : { decreasesToday: count }),
  }
}

export function isDecrease(before: Throughput, after: Throughput): boolean {
  // On-demand mode appears as 0 of both, which is not a decrease.
  if (after.readUnits === 0 && after.writeUnits === 0) return false
  return after.readUnits < before.readUnits || after.writeUnits < before.writeUnits
}

/** How many decreases there were on the UTC day of `now`. */
export function decreasesOn(now: number, { lastDecreaseAt, decreasesToday = 0 }: ThroughputHistory): number {
  return lastDecreaseAt !== undefined && dayOf(lastDecreaseAt) === dayOf(now) ? decreasesToday : 0
}

/**
 * When the next decrease is allowed: now, or an interval after the last one when today's decreases are used up, but at
 * midnight at the latest, when new ones are granted. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, and measurements by others: the
 * interval runs from the last decrease, and no hourly refill exists.
 */
export function nextDecreaseAt(
  history: ThroughputHistory,
  { decreasesPerDay, decreaseIntervalSeconds }: CapacityParameters,
  now: number,
): number {
  const { lastDecreaseAt = 0 } = history
  if (decreasesOn(now, history) < decreasesPerDay) return now
  const midnight = (dayOf(now) + 1) * DAY
  return Math.max(now, Math.min(lastDecreaseAt + decreaseIntervalSeconds * 1000, midnight))
}

function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY)
}
