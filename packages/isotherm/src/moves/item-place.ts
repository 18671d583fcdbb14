import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { equalItems, type Item, type AttributeValue as Value } from '@isotherm/semantics'
import type { ItemKey } from '../keys/item-key.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MovingTable } from './moving-table.js'

/** An item as it is stored. */
export type StoredItem = Record<string, AttributeValue>

/** The primary key that the item has in this shard. */
export function keyAt(
  table: Pick<MovingTable, 'options' | 'suffix'>,
  key: ItemKey,
  shard: number,
): StoredItem {
  const { partitionKey, sortKey } = table.options
  const partition = { ...table.suffix.add(key.logical, shard) } as AttributeValue
  if (sortKey === undefined || key.sort === undefined) return { [partitionKey]: partition }
  return { [partitionKey]: partition, [sortKey]: { ...key.sort } as AttributeValue }
}

/** Whether two stored items are the same to the application. */
export function isSameItem(
  { partitionKey }: { readonly partitionKey: string },
  a: StoredItem,
  b: StoredItem,
): boolean {
  const hidden = [partitionKey, ...Object.values(MOVE_ATTRIBUTES)]
  const shown = (item: StoredItem): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !hidden.includes(name)) as [string, Value][])
  return equalItems(shown(a), shown(b))
}
