import type { AttributeValue, ItemCollectionMetrics } from '@aws-sdk/client-dynamodb'
import type { ShardedTable } from '../options/sharded-table.js'
import type { LogicalKey, SuffixableKey } from './key.js'
import type { KeyedTable } from './keyed-table.js'

/**
 * An item as the application wrote it: under its logical key, without what the library adds for itself. In an object of its
 * own, since the one that came may belong to somebody else.
 */
export function presentedItem(
  { partitionKey, hiddenAttributes }: Pick<ShardedTable, 'partitionKey' | 'hiddenAttributes'>,
  logical: LogicalKey,
  item: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const shown = { ...item }
  if (Object.hasOwn(shown, partitionKey)) shown[partitionKey] = { ...logical }
  for (const attribute of hiddenAttributes) delete shown[attribute]
  return shown
}

/**
 * An item that was not asked for by its key: of a scan, or of an index, where each may belong to another logical key and a projection
 * may leave the key out. What stands there without a suffix was not written by the library, and its key is what it says.
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

/** The metrics under the logical key. They are of one shard all the same: each shard is an item collection. */
export function presentedMetrics(
  { options: { partitionKey }, suffix }: KeyedTable,
  metrics: ItemCollectionMetrics,
): ItemCollectionMetrics {
  const { ItemCollectionKey: key } = metrics
  const logical = key === undefined ? undefined : suffix.strip(key[partitionKey] as SuffixableKey)?.logical
  if (logical === undefined) return metrics
  return { ...metrics, ItemCollectionKey: { ...key, [partitionKey]: { ...logical } } }
}
