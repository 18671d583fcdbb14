import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type KeyValue } from '@isotherm/semantics'

/** A place in the merged order of a logical key: by sort key, and among equal ones by shard. */
export interface Position {
  /** `undefined` in a table without a sort key, where the shard alone is the order. */
  readonly sort: KeyValue | undefined
  readonly shard: number
}

/** An item and its place in the merged order. */
export interface PlacedItem extends Position {
  readonly item: Record<string, AttributeValue>
  readonly bytes: number
  /** That of its shard: of two copies of an item the one of the later stage counts. */
  readonly stage: number
  /** The shard that it was read from, and those that it was moved from, the last one first. */
  readonly heldBy: number
  readonly origins: readonly number[]
}

/** How the items of all shards follow each other. */
export interface MergeOrder {
  /** Forward (1) or backward (-1) through the sort keys. */
  readonly direction: 1 | -1
  /**
   * Whether items with equal sort keys are different ones, in the order of their shards. With a calculated suffix they are
   * one item, wherever it is by now.
   */
  readonly parted: boolean
}

/**
 * The merged order. Backward too, the shards ascend among equal sort keys: items are only moved from higher shards to lower
 * ones there, and one that was given already must not come up again behind the cursor.
 */
export function comparePositions(a: Position, b: Position, { direction, parted }: MergeOrder): number {
  const bySort = a.sort === undefined || b.sort === undefined ? 0 : (compareKeyValues(a.sort, b.sort) ?? 0)
  // mark: merge-follows-the-direction
  if (bySort !== 0) return direction * bySort
  return parted ? a.shard - b.shard : 0
}
