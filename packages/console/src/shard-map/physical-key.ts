/** The highest shard number of the stored format. */
const MAX_SHARD = 1_000

/** How the physical keys of a table are made. */
export interface SuffixRule {
  /** Empty if keys have no suffix. */
  readonly delimiter: string
  /** Whether shard 1 is the logical key itself. */
  readonly adopts: boolean
}

/** A key of the table as its application knows it. */
export interface SplitKey {
  readonly logical: string
  /** `undefined` for a key without a suffix. */
  readonly shard: number | undefined
}

/** Splits a physical key at its last delimiter, as the stored format says. */
export function splitKey(physical: string, delimiter: string): SplitKey {
  const at = delimiter === '' ? -1 : physical.lastIndexOf(delimiter)
  if (at < 0) return { logical: physical, shard: undefined }
  const digits = physical.slice(at + delimiter.length)
  const isShard = /^[1-9]\d{0,3}$/.test(digits) && Number(digits) <= MAX_SHARD
  return isShard
    ? { logical: physical.slice(0, at), shard: Number(digits) }
    : { logical: physical, shard: undefined }
}

/** The physical key of a shard. */
export function physicalKey(logical: string, shard: number, { delimiter, adopts }: SuffixRule): string {
  return adopts && shard === 1 ? logical : `${logical}${delimiter}${shard}`
}
