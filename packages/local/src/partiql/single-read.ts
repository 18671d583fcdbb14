import {
  bindWhere,
  type Column,
  type Parameters,
  type SelectStatement,
  selectColumns,
} from '@isotherm/semantics'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Table } from '../table/table.js'
import { checkKey } from '../validation/key-checks.js'
import { type FindTable, namedTable } from './named-table.js'
import { selectedIndex } from './selected-index.js'
import { targetKey } from './target-key.js'

/** A SELECT of one item by its key, as used in batches and transactions. */
export interface SingleRead {
  readonly table: Table
  readonly key: EncodedKey
  readonly columns: readonly Column[] | undefined
}

/**
 * Returns the read of a SELECT whose WHERE clause is exactly a primary key.
 * @returns `undefined` when it reads an index, or when its WHERE clause is not exactly the key.
 * @throws ServiceError or ValidationError
 */
export function singleRead(
  statement: SelectStatement,
  parameters: Parameters,
  findTable: FindTable,
): SingleRead | undefined {
  const { table: name, index, where, columns } = statement
  const condition = where === undefined ? undefined : bindWhere(where, parameters)
  const table = namedTable(name, findTable)
  selectedIndex(table, statement, false)
  const target = targetKey(condition, table.definition.schema)
  if (condition === undefined || target === undefined || target.hasMore || index !== undefined)
    return undefined
  checkKey(table.definition.schema, target.key)
  return {
    table,
    key: table.encodeKey(target.key),
    columns: columns === undefined ? undefined : selectColumns(columns),
  }
}
