import {
  applyUpdate,
  type BoundCondition,
  type BoundUpdate,
  type Item,
  type Projection,
} from '@isotherm/semantics'
import type { Table } from '../table/table.js'
import type { ReadAction, WriteAction } from '../transaction/transaction-action.js'
import { checkKey, checkKeyNotEmpty } from '../validation/key-checks.js'
import { checkConditionPaths, checkProjectionPaths, checkUpdatePaths } from './key-paths.js'
import { storedItem } from './put-item.js'
import { checkKeyIsKept, touchedKey } from './update-item.js'

/** What every action of a transaction that writes may ask of the item before it. */
export interface ActionCheck {
  readonly condition: BoundCondition | undefined
  readonly returnsOld: boolean
}

/**
 * The actions of transactions. What does not fit the table makes an action fail, and with it the transaction; only an
 * empty key, and an expression that looks into a key, are refused before, as in DynamoDB Local.
 *
 * @throws ServiceError for an empty key and for a path into one.
 */
export function putAction(table: Table, item: Item, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  checkKeyNotEmpty(table.definition.schema, item)
  return {
    ...check,
    table,
    place() {
      const after = storedItem(table, item)
      return { key: table.encodeKey(item), change: () => after }
    },
  }
}

export function updateAction(
  table: Table,
  keyItem: Item,
  update: BoundUpdate,
  check: ActionCheck,
): WriteAction {
  checkConditionPaths(table, check.condition)
  // One that would change the key makes the action fail.
  if (touchedKey(table, update) === undefined) checkUpdatePaths(table, update)
  checkKeyNotEmpty(table.definition.schema, keyItem)
  return {
    ...check,
    table,
    place() {
      checkKeyIsKept(table, update)
      checkKey(table.definition.schema, keyItem)
      return {
        key: table.encodeKey(keyItem),
        change: (before) => {
          const isNew = before === undefined
          return storedItem(table, applyUpdate(update, before?.item ?? keyItem, { isNew }), 'update')
        },
      }
    },
  }
}

export function deleteAction(table: Table, keyItem: Item, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  const { place } = getAction(table, keyItem)
  return { ...check, table, place: () => ({ ...place(), change: () => undefined }) }
}

export function conditionCheckAction(table: Table, keyItem: Item, check: ActionCheck): WriteAction {
  checkConditionPaths(table, check.condition)
  return { ...check, ...getAction(table, keyItem) }
}

/** @param projection which of the item's attributes will be shown. */
export function getAction(table: Table, keyItem: Item, projection?: Projection): ReadAction {
  checkProjectionPaths(table, projection)
  checkKeyNotEmpty(table.definition.schema, keyItem)
  return {
    table,
    place() {
      checkKey(table.definition.schema, keyItem)
      return { key: table.encodeKey(keyItem) }
    },
  }
}
