import fc, { type Arbitrary } from 'fast-check'
import { condition } from '../generators/conditions.js'
import { anyItem, anyKey } from '../generators/items.js'
import { malformed } from '../generators/malformed.js'
import { resolve, valuePool } from '../generators/placeholders.js'
import { projection } from '../generators/projections.js'
import { update } from '../generators/updates.js'
import { present, sometimes, weighted } from '../generators/weighted.js'
import type { TableModel } from '../model/table-model.js'
import { TABLES } from '../model/tables.js'
import type { Family } from './family.js'
import { returnConsumedCapacity, tableName } from './members.js'

const MALFORMED_PERCENT = 6

type Expressions = { readonly [parameter: string]: Arbitrary<string | undefined> }

function action(
  kind: string,
  table: TableModel,
  subject: { readonly [member: string]: Arbitrary<unknown> },
  expressions: Expressions,
): Arbitrary<object> {
  const members = fc.record({
    TableName: tableName(table.name),
    ReturnValuesOnConditionCheckFailure: sometimes(30, fc.constantFrom('ALL_OLD', 'NONE')),
    ...subject,
  })
  return fc.tuple(members, fc.record(expressions), valuePool).chain(([rest, texts, pool]) =>
    resolve(Object.values(texts), pool).map((resolved) => ({
      [kind]: present({ ...rest, ...texts, ...resolved }),
    })),
  )
}

function anyAction(table: TableModel): Arbitrary<object> {
  const seldom = { ConditionExpression: sometimes(30, condition) }
  return weighted<object>(
    [10, action('Put', table, { Item: anyItem(table) }, seldom)],
    [4, action('Delete', table, { Key: anyKey(table) }, seldom)],
    [
      8,
      action('Update', table, { Key: anyKey(table) }, { ...seldom, UpdateExpression: sometimes(98, update) }),
    ],
    [
      3,
      action(
        'ConditionCheck',
        table,
        { Key: anyKey(table) },
        { ConditionExpression: sometimes(98, condition) },
      ),
    ],
  )
}

const anyTable = fc.constantFrom(...TABLES)

/** TransactWriteItems of all four actions; some contain one item twice. */
export const TRANSACT_WRITE_ITEMS: Family = {
  name: 'TransactWriteItems',
  operations: ['TransactWriteItems'],
  weight: 60,
  steps: malformed(
    fc
      .record({
        TransactItems: fc.array(anyTable.chain(anyAction), { minLength: 1, maxLength: 3 }),
        ReturnConsumedCapacity: returnConsumedCapacity,
      })
      .map(present),
    MALFORMED_PERCENT,
  ).map((request) => ({ operation: 'TransactWriteItems', request })),
}

/** TransactGetItems, with and without projections. */
export const TRANSACT_GET_ITEMS: Family = {
  name: 'TransactGetItems',
  operations: ['TransactGetItems'],
  weight: 30,
  steps: malformed(
    fc
      .record({
        TransactItems: fc.array(
          anyTable.chain((table) =>
            fc
              .record({
                TableName: tableName(table.name),
                Key: anyKey(table),
                ProjectionExpression: sometimes(30, projection),
              })
              .chain((rest) =>
                resolve([rest.ProjectionExpression], {}).map((resolved) => ({
                  Get: present({ ...rest, ...resolved }),
                })),
              ),
          ),
          { minLength: 1, maxLength: 4 },
        ),
        ReturnConsumedCapacity: returnConsumedCapacity,
      })
      .map(present),
    MALFORMED_PERCENT,
  ).map((request) => ({ operation: 'TransactGetItems', request })),
}
