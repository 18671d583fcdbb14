import { type LogicalKey, plainKey } from '../../keys/key.js'
import type { HotKey, KeyHeat } from './key-heat.js'

/**
 * The traffic of one logical key in this process, in write units. The rates are reset when the key's shard count
 * changes.
 */
export interface LogicalKeyHeat {
  readonly logicalKey: string | Uint8Array
  /** The cached shard count of the key; `undefined` if it is not in the cache of this process. */
  readonly shards: number | undefined
  /**
   * The requested write units of the last seconds. Older units count with a weight that halves every five seconds. The
   * keys are ordered by this estimate. It may be too high by up to `recentUnitsError`, and is never too low.
   */
  readonly recentUnits: number
  /** The maximum error of `recentUnits`. */
  readonly recentUnitsError: number
  /** Write units per second that the application requested. */
  readonly offeredUnitsPerSecond: number
  /** Write units per second that were written. */
  readonly acceptedUnitsPerSecond: number
  /** Write units per second whose first attempt was throttled by a hot partition. */
  readonly throttledUnitsPerSecond: number
}

/** The hottest logical keys of one table in this process. */
export interface TableHeat {
  readonly table: string
  /** When the snapshot was taken, in milliseconds since the Unix epoch. */
  readonly at: number
  /** The keys, hottest first. */
  readonly keys: readonly LogicalKeyHeat[]
  /** The upper bound of the recent units of any key that is not in `keys`. */
  readonly otherKeysAtMost: number
}

export interface TableHeatSource {
  readonly table: string
  readonly heat: KeyHeat
  readonly shardsOf: (key: LogicalKey) => number | undefined
  readonly at: number
}

/** Returns a snapshot, which does not change later. */
export function tableHeat({ table, heat, shardsOf, at }: TableHeatSource, top: number): TableHeat {
  const { keys, otherKeysAtMost } = heat.hottest(top)
  return { table, at, keys: keys.map((hot) => keyHeat(hot, shardsOf(hot.key))), otherKeysAtMost }
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
