/**
 * Before anything of a table was read, its items are assumed to be large, because another request costs less than
 * reading a megabyte in vain.
 */
const ASSUMED_ITEM_BYTES = 4_096

/** The mean size of a table's items, learned from responses. It is only a hint. */
export class MeanItemBytes {
  #mean = ASSUMED_ITEM_BYTES
  /** Whether anything was read yet. */
  isKnown = false

  get bytes(): number {
    return this.#mean
  }

  observe(bytes: number, items: number): void {
    if (items <= 0 || bytes <= 0) return
    const seen = bytes / items
    this.#mean = this.isKnown ? (this.#mean + seen) / 2 : seen
    this.isKnown = true
  }
}
