import { READ_UNIT_BYTES, type ReadConsistency, readUnits } from '@isotherm/semantics'

/**
 * Read units of a query for a page of items that are spread over shards: each shard is asked for its part, and the
 * smallest read of a shard costs as much as 4 KB.
 *
 * @example
 * pageReadUnits({ items: 25, itemBytes: 400, shards: 1, consistency: 'eventual' }) // 1.5
 * pageReadUnits({ items: 25, itemBytes: 400, shards: 8, consistency: 'eventual' }) // 4
 */
export function pageReadUnits(page: {
  readonly items: number
  readonly itemBytes: number
  readonly shards: number
  readonly consistency: ReadConsistency
}): number {
  const { items, itemBytes, shards, consistency } = page
  const bytes = items * itemBytes
  // One shard has it all, or each has about the same part.
  const each = shards === 1 ? bytes : Math.ceil(items / shards) * itemBytes
  return shards * readUnits(Math.max(each, READ_UNIT_BYTES), consistency)
}
