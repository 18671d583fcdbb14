import type { AttributeValue, ItemCollectionMetrics } from '@aws-sdk/client-dynamodb'
import type { ShardedTable } from '../options/sharded-table.js'
import type { LogicalKey, SuffixableKey } from './key.js'
import type { KeyedTable } from './keyed-table.js'

/**
 * Returns an item as the application wrote it: with its logical key, and without the library's own attributes. It is a
 * copy, because the stored object may belong to somebody else.
 */
export function presentedItem(
  { partitionKey, hiddenAttributes }: Pick<ShardedTable, 'partitionKey' | 'hiddenAttributes'>,
  logical: LogicalKey,
  item: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const shown = { ...item }
  if (Object.hasOwn(shown, partitionKey)) shown[partitionKey] = { ...logical }
  // Most items have none, and `delete` is slow even then.
  for (const attribute of hiddenAttributes) if (attribute in shown) delete shown[attribute]
  return shown
}

/**
 * Returns an item of a scan or an index query with its logical key. Such items may belong to different logical keys,
 * and a projection may omit the key. A key without a suffix was not written by the library, and is returned unchanged.
 */
export function presentedStoredItem(
  { options, suffix }: KeyedTable,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  const stored = item[options.partitionKey]
  const mayHaveSuffix = options.suffix !== 'none' && (stored?.S !== undefined || stored?.B !== undefined)
  const logical = mayHaveSuffix ? suffix.strip(stored as SuffixableKey)?.logical : undefined
  return presentedItem(options, logical ?? (stored as LogicalKey), item)
}

/**
 * Returns the metrics under the logical key. They still describe one shard, because each shard is an item collection.
 */
export function presentedMetrics(
  { options: { partitionKey }, suffix }: KeyedTable,
  metrics: ItemCollectionMetrics,
): ItemCollectionMetrics {
  const { ItemCollectionKey: key } = metrics
  const logical = key === undefined ? undefined : suffix.strip(key[partitionKey] as SuffixableKey)?.logical
  if (logical === undefined) return metrics
  return { ...metrics, ItemCollectionKey: { ...key, [partitionKey]: { ...logical } } }
}
