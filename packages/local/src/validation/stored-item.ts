import { type Item, itemBytes } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'
import { PrintedItem } from '../table/printed-item.js'
import type { Table } from '../table/table.js'
import { checkIndexKey, checkItemKey, checkItemSize } from './key-checks.js'

const measured = new WeakMap<Item, number>()

/**
 * Measures an item before the operation of its request begins. So the items of a large request can be measured in different
 * turns of the event loop. The item must not change until `storedItem` gets it.
 */
export function measureAhead(item: Item): void {
  measured.set(item, itemBytes(item))
}

/** The size of an item in bytes, which is measured only once. */
export function measuredBytes(item: Item): number {
  const bytes = measured.get(item)
  if (bytes === undefined) return itemBytes(item)
  measured.delete(item)
  return bytes
}

/**
 * Checks an item against its table.
 * @param bytes the size of the item, if the caller has measured it.
 * @throws ServiceError
 */
export function storedItem(
  table: Table,
  item: Item,
  operation: 'put' | 'update' = 'put',
  bytes = measuredBytes(item),
): StoredItem {
  checkItemKey(table.definition.schema, item)
  for (const index of table.definition.indexes) checkIndexKey(index, item, operation)
  const stored = new PrintedItem(item, bytes)
  checkItemSize(bytes + localEntryBytes(table, stored), operation)
  return stored
}

/** Entries in local indexes count towards the size of an item. */
function localEntryBytes({ collections, indexes }: Table, stored: StoredItem): number {
  if (collections === undefined) return 0
  let bytes = 0
  for (const index of indexes.values()) if (index.isLocal) bytes += index.entryBytes(stored)
  return bytes
}
