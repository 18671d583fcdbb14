import { MAX_SHARDS } from '../options/shard-limits.js'

/** The counts, both inclusive, among which an item has the shard that it is in. */
export interface CountRange {
  readonly from: number
  readonly to: number
}

/** The counts that explain where the items of a calculated key are. */
export type Explanation =
  /** Each item is at its place among this count. */
  | { readonly kind: 'settled'; readonly shards: number }
  /** Each item is at its place among one of two counts, the lower first: a change of the count was not complete. */
  | { readonly kind: 'changing'; readonly counts: readonly [number, number] }
  /** Two counts do not explain it. */
  | { readonly kind: 'unexplained' }

/**
 * Returns the counts for which an item is in its calculated shard. With jump hashing they are contiguous: the item jumps to a shard when
 * that shard is added, and stays there until it jumps to a later one.
 *
 * @param placeOf the shard of the item among so many
 * @returns `undefined` if it is there for no count
 */
export function countRange(placeOf: (shards: number) => number, shard: number): CountRange | undefined {
  if (placeOf(shard) !== shard) return undefined
  let [from, beyond] = [shard, MAX_SHARDS + 1]
  while (beyond - from > 1) {
    const middle = Math.floor((from + beyond) / 2)
    if (placeOf(middle) === shard) from = middle
    else beyond = middle
  }
  return { from: shard, to: from }
}

/** The ranges of all items of one key, in bounded space. */
export class CountRanges {
  /** The smallest end by beginning. Of two ranges with one beginning, the shorter one says more. */
  readonly #ends = new Map<number, number>()

  add({ from, to }: CountRange): void {
    this.#ends.set(from, Math.min(to, this.#ends.get(from) ?? to))
  }

  /**
   * Explains all ranges by as few counts as possible. Of several counts it prefers the initial one, and then the lowest. Counts without an
   * item above them are not needed.
   */
  explained(initial: number): Explanation {
    const ranges = Array.from(this.#ends, ([from, to]) => ({ from, to }))
    // The count that lies in the range with the first end lies in as many ranges as any count of that range.
    const first = Math.min(...ranges.map(({ to }) => to))
    const [low, rest] = [
      ranges.filter(({ from }) => from <= first),
      ranges.filter(({ from }) => from > first),
    ]
    const lower = countIn(low, initial)
    if (lower === undefined) return { kind: 'settled', shards: initial }
    // mark: rebuild-knows-of-two-counts
    if (rest.length === 0) return { kind: 'settled', shards: lower }
    const higher = countIn(rest, initial)
    return higher === undefined || rest.some(({ to }) => to < higher)
      ? { kind: 'unexplained' }
      : { kind: 'changing', counts: [lower, higher] }
  }
}

/** A count at the beginning of the ranges' common part, or the initial one if it is in that part. */
function countIn(ranges: readonly CountRange[], initial: number): number | undefined {
  if (ranges.length === 0) return undefined
  const from = Math.max(...ranges.map((range) => range.from))
  const to = Math.min(...ranges.map((range) => range.to))
  return from <= initial && initial <= to ? initial : from
}
