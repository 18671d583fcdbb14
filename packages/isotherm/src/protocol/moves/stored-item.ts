import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  equalItems,
  type Item,
  itemBytes,
  readUnits,
  type AttributeValue as Value,
  writeUnits,
} from '@isotherm/semantics'
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

/** The write units of an item. The size is always known, because the item came from the service. */
export function storedUnits(item: StoredItem): number {
  return writeUnits(itemBytes(item as unknown as Item))
}

/** The units of a consistent read of an item. */
export function storedReadUnits(item: StoredItem): number {
  return readUnits(itemBytes(item as unknown as Item), 'strong')
}
