import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { readKey } from '../keys/read-key.js'
import { presentedItem } from '../table/presented-item.js'
import type { TableRuntime } from '../table/table-runtime.js'

/** An item of an index, where each may belong to another logical key, and a projection may leave the key out. */
export function presentedIndexItem(
  { options, suffix }: TableRuntime,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  const { name, partitionKey, hiddenAttributes } = options
  const value = item[partitionKey]
  const stripped =
    value === undefined || options.suffix === 'none'
      ? undefined
      : suffix.strip(readKey(name, partitionKey, value))
  if (stripped !== undefined) return presentedItem(options, stripped.logical, item)
  // Not projected, or without a suffix: then the library has not written it, and its key is what it says.
  return Object.fromEntries(
    Object.entries(item).filter(([attribute]) => !hiddenAttributes.includes(attribute)),
  )
}
