import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { equalItems, type Item, type AttributeValue as Value } from '@isotherm/semantics'
import { MOVE_ATTRIBUTES } from './move-attributes.js'

/** An item as it is stored. */
export type StoredItem = Record<string, AttributeValue>

/** Whether two stored items are the same to the application. */
export function isSameItem(
  { partitionKey }: { readonly partitionKey: string },
  a: StoredItem,
  b: StoredItem,
): boolean {
  // mark: moved-copies-are-equal
  const hidden = [partitionKey, ...Object.values(MOVE_ATTRIBUTES)]
  const shown = (item: StoredItem): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !hidden.includes(name)) as [string, Value][])
  return equalItems(shown(a), shown(b))
}
