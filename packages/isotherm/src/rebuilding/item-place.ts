import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { readItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import type { StoredItem } from '../protocol/index.js'

/**
 * Returns the shard of a stored item of a calculated key, among so many shards.
 * @returns `undefined` with a random suffix: then any shard may hold the item
 */
export function itemPlace(
  table: ShardedTable,
  item: Readonly<StoredItem>,
  logical: LogicalKey,
): ((shards: number) => number) | undefined {
  const { partitionKey, suffix } = table
  const placeOf = typeof suffix === 'string' ? undefined : suffix.placeOf
  if (placeOf === undefined) return undefined
  const key = readItemKey(table, { ...item, [partitionKey]: { ...logical } as AttributeValue })
  return (shards) => placeOf(table, key, shards)
}
