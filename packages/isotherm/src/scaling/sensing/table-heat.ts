import { type LogicalKey, plainKey } from '../../keys/key.js'
import type { HotKey, KeyHeat } from './key-heat.js'

/**
 * The traffic of one logical key in this process, in write units, or in read units in the list `reads`. The rates are
 * reset when the key's shard count changes.
 */
export interface LogicalKeyHeat {
  readonly logicalKey: string | Uint8Array
  /** The cached shard count of the key; `undefined` if it is not in the cache of this process. */
  readonly shards: number | undefined
  /**
   * The requested units of the last seconds. Older units count with a weight that halves every five seconds. The
   * keys are ordered by this estimate. It may be too high by up to `recentUnitsError`, and is never too low.
   */
  readonly recentUnits: number
  /** The maximum error of `recentUnits`. */
  readonly recentUnitsError: number
  /** Units per second that the application requested. */
  readonly offeredUnitsPerSecond: number
  /** Units per second that were written or read. */
  readonly acceptedUnitsPerSecond: number
  /** Units per second whose first attempt was throttled by a hot partition. */
  readonly throttledUnitsPerSecond: number
}

/** The hottest logical keys by one kind of access. */
export interface HottestKeyHeat {
  /** The keys, hottest first. */
  readonly keys: readonly LogicalKeyHeat[]
  /** The upper bound of the recent units of any key that is not in `keys`. */
  readonly otherKeysAtMost: number
}

/** The hottest logical keys of one table, or of one of its indexes, in this process, by writes. */
export interface TableHeat extends HottestKeyHeat {
  readonly table: string
  /** Present for an index with `dynamicShards`, whose key values are then the logical keys. */
  readonly index?: string | undefined
  /** When the snapshot was taken, in milliseconds since the Unix epoch. */
  readonly at: number
  /**
   * The hottest keys by reads of the table itself, in read units. Reads of its indexes are not included. Missing until
   * this process has read an item of the table.
   */
  readonly reads?: HottestKeyHeat
}

export interface TableHeatSource {
  readonly table: string
  readonly heat: KeyHeat
  readonly reads: KeyHeat | undefined
  readonly shardsOf: (key: LogicalKey) => number | undefined
  readonly at: number
}

/** Returns a snapshot, which does not change later. */
export function tableHeat({ table, heat, reads, shardsOf, at }: TableHeatSource, top: number): TableHeat {
  const hottest = (of: KeyHeat): HottestKeyHeat => {
    const { keys, otherKeysAtMost } = of.hottest(top)
    return { keys: keys.map((hot) => keyHeat(hot, shardsOf(hot.key))), otherKeysAtMost }
  }
  return { table, at, ...hottest(heat), ...(reads === undefined ? {} : { reads: hottest(reads) }) }
}

function keyHeat(
  { key, recentUnits, recentUnitsError, report }: HotKey,
  shards: number | undefined,
): LogicalKeyHeat {
  const { offeredUnits, acceptedUnits, throttledUnits, windowSeconds } = report
  return {
    logicalKey: plainKey(key),
    shards,
    recentUnits,
    recentUnitsError,
    offeredUnitsPerSecond: offeredUnits / windowSeconds,
    acceptedUnitsPerSecond: acceptedUnits / windowSeconds,
    throttledUnitsPerSecond: throttledUnits / windowSeconds,
  }
}
