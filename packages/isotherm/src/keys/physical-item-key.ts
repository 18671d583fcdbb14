import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { ItemKey } from './item-key.js'
import type { SuffixableKey } from './key.js'
import type { KeyedTable } from './keyed-table.js'

/**
 * The primary key of the item as stored in the shard.
 * @param attributes the item, which gets this key in a copy. Default: the key alone
 */
export function physicalItemKey(
  { options, suffix }: Pick<KeyedTable, 'options' | 'suffix'>,
  { logical, sort }: ItemKey,
  shard: number,
  attributes?: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const stored: Record<string, AttributeValue> = { ...attributes }
  stored[options.partitionKey] = suffix.add(logical, shard) as SuffixableKey as AttributeValue
  if (options.sortKey !== undefined && sort !== undefined) stored[options.sortKey] = { ...sort }
  return stored
}
