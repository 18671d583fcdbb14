import { itemBytes } from '@isotherm/semantics'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Table } from '../table/table.js'
import { decodeItem } from '../validation/decode-item.js'
import { checkIndexKey, checkItemKey, checkItemSize } from '../validation/key-checks.js'
import { ITEM } from '../validation/members.js'
import { checkConditionPaths } from './key-paths.js'
import { defineOperation, tableOf } from './operation.js'
import {
  checkCondition,
  checkConditionUnmixed,
  checkReturnsOld,
  makeWrite,
  oldItem,
  onlyCondition,
  WRITE_MEMBERS,
  type WriteInput,
} from './write-request.js'

export const putItem = defineOperation<WriteInput & { readonly Item: unknown }>(
  {
    type: 'structure',
    members: { ...WRITE_MEMBERS, Item: { ...ITEM, required: true } },
  },
  (input, context) => {
    checkConditionUnmixed(input)
    const item = decodeItem(input.Item)
    checkReturnsOld(input)
    const condition = onlyCondition(input)
    const table = tableOf(context, input.TableName)
    checkConditionPaths(table, condition)
    const after = storedItem(table, item)
    const key = table.encodeKey(item)
    const before = table.peek(key)
    const write = { key, before, after }
    checkCondition(table, { key, before, make: () => after }, condition, input)
    return makeWrite(table, write, input, oldItem(write, input))
  },
)

/** Checks an item against its table. @throws ServiceError */
export function storedItem(
  table: Table,
  item: StoredItem['item'],
  operation: 'put' | 'update' = 'put',
): StoredItem {
  checkItemKey(table.definition.schema, item)
  for (const index of table.definition.indexes) checkIndexKey(index, item, operation)
  const bytes = itemBytes(item)
  const stored = { item, bytes }
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
