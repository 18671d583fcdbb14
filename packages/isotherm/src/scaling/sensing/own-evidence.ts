import type { HeatReport } from './key-heat.js'

/** A few throttles happen at the end of a burst. Retries are enough for them, and a permanent shard is not justified. */
const MIN_THROTTLED_UNITS = 3
const MIN_THROTTLED_SHARE = 0.01

/** If this process alone offers a shard this share of a partition's limit, the shard is hot regardless of other keys. */
const HOT_SHARD_SHARE = 0.5

/** Neighbours of a hot key are throttled in proportion to their own small traffic. */
const MIN_SHARE_OF_HOTTEST = 0.25

/**
 * A key to which the whole fleet offers less than this share of a partition's limit does not make a partition hot. If
 * several such keys fill a partition together, the service splits it. More shards would only spread the keys over other
 * partitions.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const MIN_SHARE_OF_PARTITION = 0.25

type Evidence = Omit<HeatReport, 'offeredSoFar' | 'acceptedSoFar'>

/**
 * Whether a key may have caused its own throttling, according to the traffic of this process.
 *
 * A partition over its limit throttles all its keys alike, and the error does not name the hot one. So the key must be
 * throttled more often than by chance. It must also be hot by its own rate, or be among the most throttled keys of the
 * table. The latter is a relative measure, because each process sees only a part of the rate.
 */
export function isSuspect(heat: Evidence, shards: number, partitionUnitsPerSecond: number): boolean {
  const { offeredUnits, throttledUnits, hottestThrottledUnits } = heat
  if (throttledUnits < MIN_THROTTLED_UNITS) return false
  if (throttledUnits < MIN_THROTTLED_SHARE * offeredUnits) return false
  if (offeredUnitsPerSecond(heat) / shards >= HOT_SHARD_SHARE * partitionUnitsPerSecond) return true
  return throttledUnits >= MIN_SHARE_OF_HOTTEST * hottestThrottledUnits
}

/**
 * Whether this rate can make a partition hot. It rules out the neighbours of a hot key, which are suspect in a process
 * that does not write to the hot key.
 */
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
