import {
  applyUpdate,
  type BoundCondition,
  type BoundUpdate,
  createsItem,
  type Item,
  type Projection,
} from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Table } from '../table/table.js'
import type { ReadAction, WriteAction } from '../transaction/transaction-action.js'
import { checkKeyIsKept, touchedKey } from '../validation/kept-key.js'
import { checkKey, checkKeyNotEmpty } from '../validation/key-checks.js'
import { checkConditionPaths, checkProjectionPaths, checkUpdatePaths } from '../validation/key-paths.js'
import { checkNesting } from '../validation/nesting.js'
import { storedItem } from '../validation/stored-item.js'

/** The condition of a write transaction's action. */
export interface ActionCheck {
  readonly condition: BoundCondition | undefined
  readonly returnsOld: boolean
}

/**
 * The actions of transactions. An action that does not fit its table fails, and cancels the transaction. Only an empty
 * key and an expression with a path into a key are rejected earlier, as in DynamoDB Local.
 *
 * Members are set one by one, because spreading the check costs as much as writing the item.
 *
 * @throws ServiceError for an empty key, and for a path into a key.
 */
export function putAction(table: Table, item: Item, itemBytes: number, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  return writeAction(table, item, check, () => {
    const after = storedItem(table, item, 'put', itemBytes)
    return { key: table.encodeKey(item), change: () => after }
  })
}

export function updateAction(
  table: Table,
  keyItem: Item,
  update: BoundUpdate,
  check: ActionCheck,
): WriteAction {
  checkConditionPaths(table, check.condition)
  // An update that would change the key makes the action fail instead.
  if (touchedKey(table, update) === undefined) checkUpdatePaths(table, update)
  return writeAction(table, keyItem, check, () => {
    checkKeyIsKept(table, update)
    return {
      key: placeOfKey(table, keyItem),
      change: (before) => {
        const isNew = before === undefined
        if (isNew && !createsItem(update)) return undefined
        const after = applyUpdate(update, before?.item ?? keyItem, { isNew })
        return storedItem(table, checkNesting(update, after), 'update')
      },
    }
  })
}

export function deleteAction(table: Table, keyItem: Item, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  return writeAction(table, keyItem, check, () => ({
    key: placeOfKey(table, keyItem),
    change: () => undefined,
  }))
}

export function conditionCheckAction(table: Table, keyItem: Item, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  return writeAction(table, keyItem, check, () => ({ key: placeOfKey(table, keyItem) }))
}

/** @throws ServiceError for an empty key. */
function writeAction(
  table: Table,
  keyItem: Item,
  { condition, returnsOld }: ActionCheck,
  place: WriteAction['place'],
): WriteAction {
  checkKeyNotEmpty(table.definition.schema, keyItem)
  return { table, condition, returnsOld, place }
}

/** @param projection the item's attributes to return. */
export function getAction(table: Table, keyItem: Item, projection?: Projection): ReadAction {
  checkProjectionPaths(table, projection)
  checkKeyNotEmpty(table.definition.schema, keyItem)
  return { table, place: () => ({ key: placeOfKey(table, keyItem) }) }
}

/** @throws ServiceError when the key does not fit the table. */
function placeOfKey(table: Table, keyItem: Item): EncodedKey {
  checkKey(table.definition.schema, keyItem)
  return table.encodeKey(keyItem)
}
