import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { IndexedTable } from './indexed-table.js'

/**
 * Adds the shadow keys of the indexes that contain the item. An item without an index's attribute is not in that index.
 */
export function itemWithShadowKeys(
  table: IndexedTable,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  const place = table.placeOf(item)
  if (place === undefined) return item
  const added = table.shadows.flatMap((shadow) => {
    const value = item[shadow.index.partitionKey]
    if (value === undefined) return []
    return [
      [shadow.index.shard.attribute, table.addedFor(shadow, value, { place, operation: 'put' })] as const,
    ]
  })
  return added.length === 0 ? item : { ...item, ...Object.fromEntries(added) }
}
