import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { presentedItem } from './presented-item.js'
import type { TableRuntime } from './table-runtime.js'

/**
 * An item of a scan or of an index, where each may belong to another logical key, and a projection may leave the key out.
 * A key without a suffix was not written by the library, and is shown as it stands.
 */
export function presentedStoredItem(
  { options, suffix }: TableRuntime,
  item: Readonly<Record<string, AttributeValue>>,
): Record<string, AttributeValue> {
  const stored = item[options.partitionKey]
  const maySuffix = options.suffix !== 'none' && (stored?.S !== undefined || stored?.B !== undefined)
  const logical = maySuffix ? suffix.strip(stored as SuffixableKey)?.logical : undefined
  return presentedItem(options, logical ?? (stored as LogicalKey), item)
}
