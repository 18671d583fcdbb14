import type { HeatReport } from './key-heat.js'

/** A few throttles happen at the edge of a burst; they are retried, not answered with a shard for ever. */
const MIN_THROTTLED_UNITS = 10
const MIN_THROTTLED_SHARE = 0.01

/**
 * Half of what a partition takes. A shard that this process alone offers so much is hot whoever else is there.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const HOT_SHARD_UNITS_PER_SECOND = 500

/** Neighbours of a hot key are refused in proportion to their own small traffic. */
const MIN_SHARE_OF_HOTTEST = 0.25

/**
 * Whether a key is throttled through its own fault.
 *
 * A partition that is over its limit refuses every key on it alike, and does not say which of them is hot. So the key
 * must be refused more than by accident, and either be hot by its own rate, or be among the most refused keys of the table:
 * a share, because each process of a fleet sees only its part of the rate.
 */
export function isHotItself(heat: HeatReport, shards: number): boolean {
  const { offeredUnits, throttledUnits, hottestThrottledUnits, windowSeconds } = heat
  if (throttledUnits < MIN_THROTTLED_UNITS) return false
  if (throttledUnits < MIN_THROTTLED_SHARE * offeredUnits) return false
  if (offeredUnits / windowSeconds / shards >= HOT_SHARD_UNITS_PER_SECOND) return true
  return throttledUnits >= MIN_SHARE_OF_HOTTEST * hottestThrottledUnits
}
