import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, itemId, keyOf } from '../model/keys.js'
import { transactOnce } from './until-settled.js'

/** Of a transaction. */
export const MAX_ACTIONS = 100

export function putSearchItem(
  { table, names }: DirectoryTarget['definition'],
  ID: string,
  name: string,
  { type, value }: { readonly type: string; readonly value: string },
): TransactWriteItem {
  const Item = {
    ...keyOf(names, ID, name),
    [names.searchType]: { S: type },
    [names.searchValue]: { S: value },
  }
  return { Put: { TableName: table, Item } }
}

export function removeSearchItem(
  { table, names }: DirectoryTarget['definition'],
  ID: string,
  name: string,
): TransactWriteItem {
  return { Delete: { TableName: table, Key: keyOf(names, ID, name) } }
}

/** The check that an item is as it was read. */
export function baseCheck(
  { definition }: DirectoryTarget,
  tenant: string,
  id: string,
  item: BaseItem | undefined,
): TransactWriteItem {
  const { table, names } = definition
  const Key = keyOf(names, itemId(tenant, id), ITEM)
  return { ConditionCheck: { TableName: table, Key, ...asRead(names.version, item) } }
}

/** Sends a transaction until it is known what became of it. What was carried out already is refused by the condition on the version. */
export async function transact(
  { db, patience }: DirectoryTarget,
  actions: readonly TransactWriteItem[],
): Promise<void> {
  await transactOnce(patience, db, actions)
}

/** Actions in parts that leave room for the check of the item. */
export function parts(actions: readonly TransactWriteItem[]): readonly (readonly TransactWriteItem[])[] {
  const size = MAX_ACTIONS - 1
  return Array.from({ length: Math.ceil(actions.length / size) }, (_, index) =>
    actions.slice(index * size, (index + 1) * size),
  )
}

/** The condition that an item has the version that was read. */
export function asRead(version: string, item: BaseItem | undefined) {
  const ExpressionAttributeNames = { '#version': version }
  // mark: item-is-changed-as-it-was-read
  return item === undefined
    ? { ConditionExpression: 'attribute_not_exists(#version)', ExpressionAttributeNames }
    : {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ':version': { S: item.version } },
      }
}
