import {
  type BoundCondition,
  bindWhere,
  type Column,
  type OrderTerm,
  type Parameters,
  type SelectStatement,
  selectColumns,
} from '@isotherm/semantics'
import { type KeyRange, WHOLE_KEYSPACE } from '../keyspace/key-range.js'
import { indexOf } from '../operations/page-response.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { KeySchema } from '../table/table-definition.js'
import { validationException } from '../wire/service-error.js'
import { keyBranches } from './key-branches.js'
import { type ReadOrder, readRanges } from './read-ranges.js'

/** How a SELECT is answered: what is read, in which order, and what is kept of it. */
export interface SelectPlan {
  readonly table: Table
  readonly index: SecondaryIndex | undefined
  /** A scan has one range, the whole keyspace. */
  readonly access: 'query' | 'scan'
  readonly ranges: readonly KeyRange[]
  readonly reverse: boolean
  readonly filter: BoundCondition | undefined
  readonly columns: readonly Column[] | undefined
}

/**
 * Plans a SELECT: equality or IN on the partition key is a query, anything else a scan.
 *
 * @throws ServiceError or ValidationError
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html
 */
export function planSelect(
  { columns, where, order, index: IndexName }: SelectStatement,
  parameters: Parameters,
  table: Table,
  ConsistentRead = false,
): SelectPlan {
  const place = {
    TableName: table.definition.name,
    ConsistentRead,
    ...(IndexName === undefined ? {} : { IndexName }),
  }
  const index = indexOf(table, place)
  const schema = index?.definition.schema ?? table.definition.schema
  const selected = columns === undefined ? undefined : selectColumns(columns)
  if (columns !== undefined && index !== undefined)
    checkProjected(
      columns.map(([name]) => name),
      table,
      index,
    )
  const filter = where === undefined ? undefined : bindWhere(where, parameters)
  const readOrder = readOrderOf(order, schema)
  const branches = filter === undefined ? undefined : keyBranches(filter, schema)
  if (branches === undefined) {
    checkOrderable(order, filter)
    return {
      table,
      index,
      access: 'scan',
      ranges: [WHOLE_KEYSPACE],
      reverse: false,
      filter,
      columns: selected,
    }
  }
  const ranges = readRanges(branches, readOrder).map(({ range }) => range)
  return {
    table,
    index,
    access: 'query',
    ranges,
    reverse: readOrder.itemsDescending,
    filter,
    columns: selected,
  }
}

/** @throws ServiceError for an order by anything but the key. */
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

/** A scan has no order to give. @throws ServiceError */
function checkOrderable(order: readonly OrderTerm[], filter: BoundCondition | undefined): void {
  if (order.length === 0) return
  throw validationException(
    filter === undefined
      ? 'Must have WHERE clause in the statement when using ORDER BY clause.'
      : 'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
  )
}

/** A global index has what it projects and nothing else. @throws ServiceError */
function checkProjected(
  names: readonly string[],
  table: Table,
  { definition, keyNames }: SecondaryIndex,
): void {
  const { projection, name: indexName } = definition
  if (projection.type === 'ALL') return
  const projected = new Set([...keyNames, ...(projection.type === 'INCLUDE' ? projection.attributes : [])])
  const missing = names.filter((name) => !projected.has(name))
  if (missing.length === 0 || !table.indexes.has(indexName)) return
  throw validationException(
    `One or more parameter values were invalid: Global secondary index ${indexName} does not project [${missing.join(', ')}]`,
  )
}
