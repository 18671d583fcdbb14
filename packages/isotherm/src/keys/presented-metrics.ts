import type { ItemCollectionMetrics } from '@aws-sdk/client-dynamodb'
import type { TableRuntime } from '../client/table-runtime.js'
import type { SuffixableKey } from './key.js'

/** The metrics under the logical key. They are of one shard all the same: each shard is an item collection. */
export function presentedMetrics(
  { options: { partitionKey }, suffix }: TableRuntime,
  metrics: ItemCollectionMetrics,
): ItemCollectionMetrics {
  const { ItemCollectionKey: key } = metrics
  const logical = key === undefined ? undefined : suffix.strip(key[partitionKey] as SuffixableKey)?.logical
  if (logical === undefined) return metrics
  return { ...metrics, ItemCollectionKey: { ...key, [partitionKey]: { ...logical } } }
}
