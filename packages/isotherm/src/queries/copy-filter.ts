import { comparePositions, type MergeOrder, type PlacedItem } from './position.js'

/**
 * Removes copies of items that moved while a page was read. Such an item may have been read twice: in its source and
 * later in its target. The copy in the target is the item.
 */
export interface CopyFilter {
  /** @param items the next items in the merged order */
  without(items: readonly PlacedItem[]): readonly PlacedItem[]
}

/** The copy filter for sources in which a shard has at most one item for a sort key. */
export class PlaceCopyFilter implements CopyFilter {
  readonly #order: MergeOrder

  constructor(order: MergeOrder) {
    this.#order = order
  }

  without(items: readonly PlacedItem[]): readonly PlacedItem[] {
    const kept: PlacedItem[] = []
    for (const item of items) {
      const index = this.#copyOf(item, kept)
      const copy = kept[index]
      if (copy !== undefined && item.stage <= copy.stage) continue
      if (copy !== undefined) kept.splice(index, 1)
      kept.push(item)
    }
    return kept
  }

  /**
   * The index of a copy of the item among the kept items with the same sort key, which come last. -1 when there is
   * none.
   */
  #copyOf(item: PlacedItem, kept: readonly PlacedItem[]): number {
    const order = this.#order
    const bySort = { ...order, parted: false }
    for (let index = kept.length - 1; index >= 0; index--) {
      const other = kept[index]
      if (other === undefined || comparePositions(other, item, bySort) !== 0) return -1
      // An item that was moved again has another position in the order than its copies in earlier shards.
      const isMovedOn = item.origins.includes(other.heldBy) || other.origins.includes(item.heldBy)
      if (isMovedOn || comparePositions(other, item, order) === 0) return index
    }
    return -1
  }
}
