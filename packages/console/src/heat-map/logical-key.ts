import type { HeatKey } from '@isotherm/local'

/** The highest shard number of the stored format. */
const MAX_SHARD = 1_000

/** The text of a key with several attributes, which only indexes have. */
const BETWEEN_VALUES = ' · '

/** A key of the table as its application knows it. */
export interface LogicalKey {
  readonly logical: string
  /** `undefined` for a key without a suffix. */
  readonly shard: number | undefined
}

/** The text of a physical key. */
export function labelOf({ values, isCut }: HeatKey): string {
  return `${values.join(BETWEEN_VALUES)}${isCut ? '…' : ''}`
}

/** Splits a physical key at its last delimiter, as the stored format says. */
export function logicalKeyOf(key: HeatKey, delimiter: string): LogicalKey {
  const label = labelOf(key)
  const at = delimiter === '' || key.isCut ? -1 : label.lastIndexOf(delimiter)
  if (at < 0) return { logical: label, shard: undefined }
  const digits = label.slice(at + delimiter.length)
  const isShard = /^[1-9]\d{0,3}$/.test(digits) && Number(digits) <= MAX_SHARD
  return isShard
    ? { logical: label.slice(0, at), shard: Number(digits) }
    : { logical: label, shard: undefined }
}
