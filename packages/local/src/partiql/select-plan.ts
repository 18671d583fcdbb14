import {
  type BoundCondition,
  type Column,
  type OrderTerm,
  projectionOf,
  type SelectStatement,
  selectColumns,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { type KeyRange, WHOLE_KEYSPACE } from '../keyspace/key-range.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { KeySchema } from '../table/table-definition.js'
import {
  checkFilterIsHeld,
  checkProjectionIsHeld,
  needsWholeItems,
} from '../validation/projected-attributes.js'
import { readableIndex } from '../validation/readable-index.js'
import { keyBranches } from './key-branches.js'
import { type ReadOrder, readRanges } from './read-ranges.js'
import { selectedIndex } from './selected-index.js'

/** The plan of a SELECT: what to read, in which order, and which items and columns to return. */
export interface SelectPlan {
  readonly table: Table
  readonly index: SecondaryIndex | undefined
  /** A scan has one range, the whole keyspace. */
  readonly access: 'query' | 'scan'
  readonly ranges: readonly KeyRange[]
  readonly reverse: boolean
  readonly filter: BoundCondition | undefined
  readonly columns: readonly Column[] | undefined
  /** Whether the columns include attributes that a local index does not hold. */
  readonly wholeItems: boolean
}

/**
 * Plans a SELECT, whose WHERE clause is bound already. Equality or IN on the partition key makes it a query. Anything else is a scan.
 *
 * @throws ServiceError or ValidationError
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html
 */
export function planSelect(
  statement: SelectStatement,
  filter: BoundCondition | undefined,
  table: Table,
  { consistent, now }: { readonly consistent: boolean; readonly now: number },
): SelectPlan {
  const { columns, order, index: name } = statement
  const index = selectedIndex(table, statement, consistent)
  readableIndex(table, name === undefined ? {} : { IndexName: name }, now)
  const schema = index?.definition.schema ?? table.definition.schema
  const projection = columns === undefined ? undefined : projectionOf(columns)
  const readOrder = readOrderOf(order, schema)
  const branches = filter === undefined ? undefined : keyBranches(filter, schema)
  const plan = {
    table,
    index,
    filter,
    columns: columns === undefined ? undefined : selectColumns(columns),
    wholeItems: needsWholeItems(index, undefined, projection),
  }
  checkProjectionIsHeld(index, projection)
  if (branches === undefined) {
    checkOrderable(order, filter)
    return { ...plan, access: 'scan', ranges: [WHOLE_KEYSPACE], reverse: false }
  }
  checkFilterIsHeld(index, filter, 'outside of OR')
  const ranges = readRanges(branches, readOrder).map(({ range }) => range)
  return { ...plan, access: 'query', ranges, reverse: readOrder.itemsDescending }
}

/** @throws ServiceError for an order by anything other than the key. */
function readOrderOf(order: readonly OrderTerm[], { hash, range }: KeySchema): ReadOrder {
  let partitionsDescending = false
  let itemsDescending = false
  for (const { name, descending } of order) {
    if (hash.some((attribute) => attribute.name === name)) partitionsDescending = descending
    else if (range.some((attribute) => attribute.name === name)) itemsDescending = descending
    else {
      throw validationException(
        `Variable reference ${name} in ORDER BY clause must be part of the primary key`,
      )
    }
  }
  return { partitionsDescending, itemsDescending }
}

/** A scan cannot be ordered. @throws ServiceError */
function checkOrderable(order: readonly OrderTerm[], filter: BoundCondition | undefined): void {
  if (order.length === 0) return
  throw validationException(
    filter === undefined
      ? 'Must have WHERE clause in the statement when using ORDER BY clause.'
      : 'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
  )
}
