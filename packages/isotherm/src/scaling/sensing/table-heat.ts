import { type LogicalKey, plainKey } from '../../keys/key.js'
import type { HotKey, KeyHeat } from './key-heat.js'

/** How hot one logical key is, as this process sees it. Units are write units; rates begin anew when its count of shards changes. */
export interface LogicalKeyHeat {
  readonly logicalKey: string | Uint8Array
  /** The shards that writes of the key use, as far as this process knows; `undefined` if it forgot, or never asked. */
  readonly shards: number | undefined
  /**
   * What decides the order: the units of the last seconds, and of the time before with half the weight every five seconds.
   * It may be too high by up to `recentUnitsError`, and is never too low.
   */
  readonly recentUnits: number
  readonly recentUnitsError: number
  /** What the application asked to write, a second. */
  readonly offeredUnitsPerSecond: number
  /** What was written, a second. */
  readonly acceptedUnitsPerSecond: number
  /** What a hot partition refused at its first attempt, a second. */
  readonly throttledUnitsPerSecond: number
}

/** The hottest logical keys of one table, as this process sees them. */
export interface TableHeat {
  readonly table: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** The hottest first. */
  readonly keys: readonly LogicalKeyHeat[]
  /** No key that is missing in `keys` has more recent units than this. */
  readonly otherKeysAtMost: number
}

export interface TableHeatSource {
  readonly table: string
  readonly heat: KeyHeat
  readonly shardsOf: (key: LogicalKey) => number | undefined
  readonly at: number
}

/** A snapshot: nothing in it changes later. */
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
