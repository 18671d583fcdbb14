import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type KeyValue } from '@isotherm/semantics'

/** A position in the merged order of a logical key: by sort key, and by shard for equal sort keys. */
export interface Position {
  /** `undefined` in a table without a sort key, where the shard alone determines the order. */
  readonly sort: KeyValue | undefined
  readonly shard: number
}

/** An item with its position in the merged order. */
export interface PlacedItem extends Position {
  readonly item: Record<string, AttributeValue>
  readonly bytes: number
  /** A value with the order of the sort key, if the language has one (`sortRank`). */
  readonly rank: number | string | undefined
  /** The stage of its shard. Of two copies of an item, the one of the later stage counts. */
  readonly stage: number
  /** The shard it was read from, and the shards it was moved from, latest first. */
  readonly heldBy: number
  readonly origins: readonly number[]
}

/** The order in which items of all shards are merged. */
export interface MergeOrder {
  /** Ascending (1) or descending (-1) sort keys. */
  readonly direction: 1 | -1
  /**
   * Whether items with equal sort keys in different shards are different items, ordered by shard. With a calculated
   * suffix they are copies of one item.
   */
  readonly parted: boolean
}

/**
 * Compares positions in the merged order. For equal sort keys, shards ascend in both directions: items are only moved
 * from higher to lower shards there, and an item that was already returned must not reappear after the cursor.
 */
export function comparePositions(a: Position, b: Position, { direction, parted }: MergeOrder): number {
  const bySort = a.sort === undefined || b.sort === undefined ? 0 : (compareKeyValues(a.sort, b.sort) ?? 0)
  // mark: merge-follows-the-direction
  if (bySort !== 0) return direction * bySort
  return parted ? a.shard - b.shard : 0
}

/** The number of items at or before the position. The items are in order, so a binary search finds it. */
export function countUpTo(items: readonly PlacedItem[], place: Position, order: MergeOrder): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const item = items[middle]
    if (item !== undefined && comparePositions(item, place, order) <= 0) from = middle + 1
    else to = middle
  }
  return from
}
