import { comparePositions, type MergeOrder, type PlacedItem } from './position.js'

/**
 * Of an item that moved while a page was read, both copies may have been read: the one at its source and, later, the one
 * at its target. It is one item, as the target has it.
 */
export interface CopyFilter {
  /** @param items the next ones in the merged order */
  without(items: readonly PlacedItem[]): readonly PlacedItem[]
}

/** Where a shard has one item at most for a sort key. */
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

  /** Where among the kept ones of the same sort key, which are the last, there is a copy of the item; -1 for nowhere. */
  #copyOf(item: PlacedItem, kept: readonly PlacedItem[]): number {
    const order = this.#order
    const bySort = { ...order, parted: false }
    for (let index = kept.length - 1; index >= 0; index--) {
      const other = kept[index]
      if (other === undefined || comparePositions(other, item, bySort) !== 0) return -1
      // An item that was moved on from where it was moved to has another place in the order than its copies there.
      const isMovedOn = item.origins.includes(other.heldBy) || other.origins.includes(item.heldBy)
      if (isMovedOn || comparePositions(other, item, order) === 0) return index
    }
    return -1
  }
}
