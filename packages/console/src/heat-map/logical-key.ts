import type { HeatKey } from '@isotherm/local'
import { type SplitKey, splitKey } from '../shard-map/physical-key.js'

/** The text of a key with several attributes, which only indexes have. */
const BETWEEN_VALUES = ' · '

/** The text of a physical key. */
export function labelOf({ values, isCut }: HeatKey): string {
  return `${values.join(BETWEEN_VALUES)}${isCut ? '…' : ''}`
}

/** Splits a physical key at its last delimiter. One that was cut may have lost its suffix. */
export function logicalKeyOf(key: HeatKey, delimiter: string): SplitKey {
  return splitKey(labelOf(key), key.isCut ? '' : delimiter)
}
