import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { TableRuntime } from '../client/table-runtime.js'
import type { LogicalKey, SuffixableKey } from './key.js'
import { presentedItem } from './presented-item.js'

/**
 * An item that was not asked for by its key: of a scan, or of an index, where each may belong to another logical key and a projection
 * may leave the key out. What stands there without a suffix was not written by the library, and its key is what it says.
 */
export function presentedStoredItem(
  { options, suffix }: TableRuntime,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  const stored = item[options.partitionKey]
  const mayHaveSuffix = options.suffix !== 'none' && (stored?.S !== undefined || stored?.B !== undefined)
  const logical = mayHaveSuffix ? suffix.strip(stored as SuffixableKey)?.logical : undefined
  return presentedItem(options, logical ?? (stored as LogicalKey), item)
}
