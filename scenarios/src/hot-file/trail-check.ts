/** A whole trail compared with the acknowledged writes. All three faults must be 0. */
export interface TrailVerdict {
  /** Items read. */
  readonly items: number
  /** Acknowledged, but not read. */
  readonly missing: number
  /** Read again. */
  readonly duplicates: number
  /** Read after an item with a later sort key. */
  readonly outOfOrder: number
  /**
   * Read but never acknowledged. This is not a fault, because a write whose response was lost can have succeeded. On an
   * endpoint that loses no responses it is 0.
   */
  readonly unacknowledged: number
}

/**
 * Compares a trail, read item by item, with the acknowledged writes.
 *
 * @example
 * const check = new TrailCheck(['a', 'b'])
 * check.read('b')
 * check.verdict() // { items: 1, missing: 1, duplicates: 0, outOfOrder: 0, unacknowledged: 0 }
 */
export class TrailCheck {
  readonly #acknowledged: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #items = 0
  #outOfOrder = 0
  #unacknowledged = 0
  #latest = ''

  /** @param acknowledged sort keys of the trail, in any order; they sort as ASCII text */
  constructor(acknowledged: Iterable<string>) {
    this.#acknowledged = new Set(acknowledged)
  }

  read(sortKey: string): void {
    this.#items++
    if (sortKey < this.#latest) this.#outOfOrder++
    else this.#latest = sortKey
    if (!this.#seen.has(sortKey) && !this.#acknowledged.has(sortKey)) this.#unacknowledged++
    this.#seen.add(sortKey)
  }

  verdict(): TrailVerdict {
    let missing = 0
    for (const sortKey of this.#acknowledged) if (!this.#seen.has(sortKey)) missing++
    return {
      items: this.#items,
      missing,
      duplicates: this.#items - this.#seen.size,
      outOfOrder: this.#outOfOrder,
      unacknowledged: this.#unacknowledged,
    }
  }
}

/** Nothing missing, nothing twice, in time order. */
export function isSound({ missing, duplicates, outOfOrder }: TrailVerdict): boolean {
  return missing === 0 && duplicates === 0 && outOfOrder === 0
}
