/** If the fleet offers a shard this share of a partition's limit, the shard is hot regardless of other keys. */
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

/** The throttled units of this process: those of the key, and those of its most throttled key. */
interface OwnThrottles {
  readonly throttledUnits: number
  readonly hottestThrottledUnits: number
}

/**
 * Whether a throttled key may have caused its throttling. A partition over its limit throttles all its keys alike, and the error
 * does not name the hot one.
 *
 * The key must be able to make a partition hot, by its rate in the whole fleet. And it must be hot by that rate alone, or be among
 * the most throttled keys of this process.
 *
 * @param fleetUnitsPerSecond what the whole fleet offers to the key
 */
export function mayBeHot(
  own: OwnThrottles,
  fleetUnitsPerSecond: number,
  { shards, partitionUnitsPerSecond }: { readonly shards: number; readonly partitionUnitsPerSecond: number },
): boolean {
  if (fleetUnitsPerSecond < MIN_SHARE_OF_PARTITION * partitionUnitsPerSecond) return false
  if (fleetUnitsPerSecond / shards >= HOT_SHARD_SHARE * partitionUnitsPerSecond) return true
  return own.throttledUnits >= MIN_SHARE_OF_HOTTEST * own.hottestThrottledUnits
}
