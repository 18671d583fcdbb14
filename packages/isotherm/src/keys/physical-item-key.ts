import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { ItemKey } from './item-key.js'
import type { KeyedTable } from './keyed-table.js'

/** The primary key of the item as stored in the shard. */
export function physicalItemKey(
  { options, suffix }: Pick<KeyedTable, 'options' | 'suffix'>,
  { logical, sort }: ItemKey,
  shard: number,
): Record<string, AttributeValue> {
  const key: Record<string, AttributeValue> = {}
  key[options.partitionKey] = { ...suffix.add(logical, shard) }
  if (options.sortKey !== undefined && sort !== undefined) key[options.sortKey] = { ...sort }
  return key
}
