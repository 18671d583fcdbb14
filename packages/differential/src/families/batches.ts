import fc, { type Arbitrary } from 'fast-check'
import { anyItem, anyKey, item, key } from '../generators/items.js'
import { malformed } from '../generators/malformed.js'
import { resolve } from '../generators/placeholders.js'
import { projection } from '../generators/projections.js'
import { present, sometimes, weighted } from '../generators/weighted.js'
import type { TableModel } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'
import type { Family } from './family.js'
import { returnConsumedCapacity, tableName } from './members.js'

const MALFORMED_PERCENT = 8

/** Requests for one table to three tables. */
function byTable(requests: (table: TableModel) => Arbitrary<unknown>): Arbitrary<object> {
  const entry = (table: TableModel) => fc.tuple(tableName(table.name), requests(table))
  return fc
    .shuffledSubarray([...TABLES], { minLength: 1, maxLength: 3 })
    .chain((tables) => fc.tuple(...tables.map(entry)))
    .map((entries) => Object.fromEntries(entries))
}

function writeRequest(table: TableModel): Arbitrary<object> {
  return weighted<object>(
    [40, item(table).map((Item) => ({ PutRequest: { Item } }))],
    [20, key(table).map((Key) => ({ DeleteRequest: { Key } }))],
    [2, anyItem(table).map((Item) => ({ PutRequest: { Item } }))],
    [2, anyKey(table).map((Key) => ({ DeleteRequest: { Key } }))],
    [
      1,
      fc
        .tuple(item(table), key(table))
        .map(([Item, Key]) => ({ PutRequest: { Item }, DeleteRequest: { Key } })),
    ],
    [1, fc.constant({})],
  )
}

/** BatchWriteItem over several tables; few contain the same item twice. */
export const BATCH_WRITE_ITEM: Family = {
  name: 'BatchWriteItem',
  operations: ['BatchWriteItem'],
  weight: 60,
  steps: malformed(
    fc
      .record({
        RequestItems: byTable((table) => fc.array(writeRequest(table), { minLength: 0, maxLength: 3 })),
        ReturnConsumedCapacity: returnConsumedCapacity,
      })
      .map(present),
    MALFORMED_PERCENT,
  ).map((request) => ({ operation: 'BatchWriteItem', request })),
}

function keysOfTable(table: TableModel): Arbitrary<object> {
  return fc
    .record({
      Keys: fc.array(weighted([20, key(table)], [1, anyKey(table)]), { minLength: 1, maxLength: 4 }),
      ConsistentRead: sometimes(30, fc.boolean()),
      ProjectionExpression: sometimes(30, projection),
    })
    .chain((rest) =>
      resolve([rest.ProjectionExpression], {}).map((resolved) => present({ ...rest, ...resolved })),
    )
}

/** BatchGetItem over several tables. */
export const BATCH_GET_ITEM: Family = {
  name: 'BatchGetItem',
  operations: ['BatchGetItem'],
  weight: 50,
  steps: malformed(
    fc
      .record({ RequestItems: byTable(keysOfTable), ReturnConsumedCapacity: returnConsumedCapacity })
      .map(present),
    MALFORMED_PERCENT,
  ).map((request) => ({ operation: 'BatchGetItem', request })),
}
