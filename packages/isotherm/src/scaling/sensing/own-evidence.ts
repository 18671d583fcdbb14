import type { HeatReport } from './key-heat.js'

/** A few throttles happen at the edge of a burst; they are retried, not answered with a shard for ever. */
const MIN_THROTTLED_UNITS = 3
const MIN_THROTTLED_SHARE = 0.01

/** A shard to which this process alone offers so much of what a partition takes is hot whoever else is there. */
const HOT_SHARD_SHARE = 0.5

/** Neighbours of a hot key are refused in proportion to their own small traffic. */
const MIN_SHARE_OF_HOTTEST = 0.25

/**
 * A key that offers less than this share of what one partition takes, in the whole fleet, does not make a partition hot. If
 * several such fill one together, the service splits it; more shards would only spread them over other partitions.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const MIN_SHARE_OF_PARTITION = 0.25

type Evidence = Omit<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>

/**
 * Whether a key may be throttled through its own fault, by what this process sees.
 *
 * A partition that is over its limit refuses every key on it alike, and does not say which of them is hot. So the key
 * must be refused more than by accident, and either be hot by its own rate, or be among the most refused keys of the table:
 * a share, because each process of a fleet sees only its part of the rate.
 */
export function isSuspect(heat: Evidence, shards: number, partitionUnitsPerSecond: number): boolean {
  const { offeredUnits, throttledUnits, hottestThrottledUnits } = heat
  if (throttledUnits < MIN_THROTTLED_UNITS) return false
  if (throttledUnits < MIN_THROTTLED_SHARE * offeredUnits) return false
  if (offeredUnitsPerSecond(heat) / shards >= HOT_SHARD_SHARE * partitionUnitsPerSecond) return true
  return throttledUnits >= MIN_SHARE_OF_HOTTEST * hottestThrottledUnits
}

/** Whether so much can make a partition hot: what clears the neighbours of a hot key, who are suspect where it is not seen. */
export function isHotEnough(fleetUnitsPerSecond: number, partitionUnitsPerSecond: number): boolean {
  // mark: neighbour-is-not-hot
  return fleetUnitsPerSecond >= MIN_SHARE_OF_PARTITION * partitionUnitsPerSecond
}

export function offeredUnitsPerSecond({
  offeredUnits,
  windowSeconds,
}: Pick<HeatReport, 'offeredUnits' | 'windowSeconds'>): number {
  return offeredUnits / windowSeconds
}
