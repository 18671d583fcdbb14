import {
  applyUpdate,
  attributeOf,
  attributeType,
  type BoundCondition,
  type BoundUpdate,
  bindChanges,
  bindWhere,
  type DeleteStatement,
  type ExistsStatement,
  type InsertStatement,
  type Item,
  literalItem,
  type Parameters,
  returnedAttributes,
  type UpdateStatement,
  type WriteStatement,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { ItemWrite } from '../table/item-write.js'
import type { Table } from '../table/table.js'
import { checkKeyIsKept } from '../validation/kept-key.js'
import { checkKey } from '../validation/key-checks.js'
import { checkNesting } from '../validation/nesting.js'
import { storedItem } from '../validation/stored-item.js'
import { WrongKeyType } from './key-test.js'
import { type FindTable, namedTable } from './named-table.js'
import { targetKey } from './target-key.js'

/**
 * The effect of a statement on one item, in terms of the write operations. INSERT is a put with the condition that the
 * item does not exist. UPDATE is an update of an existing item, DELETE is a delete, and EXISTS is a condition check.
 */
export interface StatementAction {
  readonly kind: 'put' | 'update' | 'delete' | 'check'
  readonly table: Table
  readonly key: EncodedKey
  readonly condition: BoundCondition | undefined
  /** Computes the item after the write. A check returns it unchanged. @throws ServiceError or ValidationError */
  after(before: StoredItem | undefined): StoredItem | undefined
  /** The item that RETURNING requests, once the write is known. */
  returned(write: ItemWrite): Item | undefined
}

/** The service's text for an INSERT of an existing item. */
export const DUPLICATE = 'Duplicate primary key exists in table'

const NO_KEY = 'Where clause does not contain a mandatory equality on all key attributes'

/** Converts a write statement to an action. @throws ServiceError or ValidationError */
export function statementAction(
  statement: WriteStatement,
  parameters: Parameters,
  findTable: FindTable,
): StatementAction {
  const find = () => namedTable(statement.table, findTable)
  switch (statement.kind) {
    case 'insert':
      return insertAction(statement, parameters, find())
    case 'update':
      return updateAction(statement, parameters, find)
    case 'delete':
      return deleteAction(statement, parameters, find)
  }
}

function insertAction(
  { item: tuple }: InsertStatement,
  parameters: Parameters,
  table: Table,
): StatementAction {
  const item = literalItem(tuple, parameters)
  checkInsertedKey(table, item)
  const stored = storedItem(table, item)
  return {
    kind: 'put',
    table,
    key: table.encodeKey(item),
    condition: { kind: 'not', condition: itemExists(table) },
    after: () => stored,
    returned: () => undefined,
  }
}

/** The texts differ from those of PutItem. @throws ServiceError */
function checkInsertedKey({ definition: { schema } }: Table, item: Item): void {
  for (const { name, type } of [...schema.hash, ...schema.range]) {
    const value = attributeOf(item, name)
    if (value === undefined)
      throw validationException(`Key attribute should be present in the item: Key ${name}`)
    if (attributeType(value) !== type) throw new WrongKeyType(name)
  }
}

function updateAction(
  statement: UpdateStatement,
  parameters: Parameters,
  find: () => Table,
): StatementAction {
  const update: BoundUpdate = bindChanges(statement, parameters)
  const { where, key, table } = targetOf(statement, parameters, find)
  checkKeyIsKept(table, update)
  const { returning } = statement
  const wanted = returning === undefined ? undefined : RETURN_VALUES[`${returning.what} ${returning.when}`]
  return {
    kind: 'update',
    table,
    key: table.encodeKey(key),
    // An UPDATE creates no item, unlike UpdateItem, so the item must exist.
    condition: { kind: 'and', left: itemExists(table), right: where },
    after: (before) =>
      storedItem(table, checkNesting(update, applyUpdate(update, before?.item ?? key)), 'update'),
    returned: ({ before, after }) =>
      after === undefined ? undefined : returnedAttributes(wanted, update, before?.item, after.item),
  }
}

const RETURN_VALUES = {
  'ALL OLD': 'ALL_OLD',
  'ALL NEW': 'ALL_NEW',
  'MODIFIED OLD': 'UPDATED_OLD',
  'MODIFIED NEW': 'UPDATED_NEW',
} as const

function deleteAction(
  statement: DeleteStatement,
  parameters: Parameters,
  find: () => Table,
): StatementAction {
  const { where, key, table } = targetOf(statement, parameters, find)
  return {
    kind: 'delete',
    table,
    key: table.encodeKey(key),
    // Deleting a missing item succeeds, whatever other conditions there are.
    condition: { kind: 'or', left: { kind: 'not', condition: itemExists(table) }, right: where },
    after: () => undefined,
    returned: ({ before }) => (statement.returning === undefined ? undefined : before?.item),
  }
}

/** The condition of an EXISTS statement in a transaction. @throws ServiceError or ValidationError */
export function checkAction(
  { select }: ExistsStatement,
  parameters: Parameters,
  findTable: FindTable,
): StatementAction {
  const table = namedTable(select.table, findTable)
  const where = select.where === undefined ? undefined : bindWhere(select.where, parameters)
  const target = targetKey(where, table.definition.schema)
  if (where === undefined || target === undefined || !target.hasMore || select.index !== undefined) {
    throw validationException('EXISTS() must contain a single item read with additional condition')
  }
  return {
    kind: 'check',
    table,
    key: table.encodeKey(target.key),
    condition: { kind: 'and', left: itemExists(table), right: where },
    after: (before) => before,
    returned: () => undefined,
  }
}

function targetOf(
  statement: UpdateStatement | DeleteStatement,
  parameters: Parameters,
  find: () => Table,
): { readonly where: BoundCondition; readonly key: Item; readonly table: Table } {
  // Operands are checked before the table is looked up.
  const where = statement.where === undefined ? undefined : bindWhere(statement.where, parameters)
  const table = find()
  const target = targetKey(where, table.definition.schema)
  if (where === undefined || target === undefined) throw validationException(NO_KEY)
  checkKey(table.definition.schema, target.key)
  return { where, key: target.key, table }
}

/** Every item has its partition key. */
function itemExists(table: Table): BoundCondition {
  const name = table.definition.schema.hash[0]?.name ?? ''
  return { kind: 'exists', path: { kind: 'path', path: [name] }, wanted: true }
}
