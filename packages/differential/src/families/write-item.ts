import fc, { type Arbitrary } from 'fast-check'
import { condition } from '../generators/conditions.js'
import { anyItem, anyKey } from '../generators/items.js'
import { malformed } from '../generators/malformed.js'
import { resolve, valuePool } from '../generators/placeholders.js'
import { update } from '../generators/updates.js'
import { present, sometimes, weighted } from '../generators/weighted.js'
import type { TableModel } from '../model/table-model.js'
import { type Family, forTable, type Step } from './family.js'
import { returnConsumedCapacity, tableName } from './members.js'

const MALFORMED_PERCENT = 8

const returnOld = sometimes(
  50,
  weighted([9, fc.constantFrom('ALL_OLD', 'NONE')], [1, fc.constantFrom('ALL_NEW', 'UPDATED_OLD', 'x')]),
)
const returnAny = sometimes(80, fc.constantFrom('ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'))

const common = (table: TableModel) => ({
  TableName: tableName(table.name),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnValuesOnConditionCheckFailure: sometimes(30, fc.constantFrom('ALL_OLD', 'NONE')),
  ReturnItemCollectionMetrics: sometimes(5, fc.constantFrom('SIZE', 'NONE')),
})

/** Adds expressions to a request, with the members that resolve them. */
function withExpressions(
  members: Arbitrary<object>,
  expressions: {
    ConditionExpression: Arbitrary<string | undefined>
    UpdateExpression?: Arbitrary<string | undefined>
  },
): Arbitrary<object> {
  return fc
    .tuple(members, fc.record(expressions), valuePool)
    .chain(([rest, texts, pool]) =>
      resolve(Object.values(texts), pool).map((resolved) => present({ ...rest, ...texts, ...resolved })),
    )
}

function step(operation: string, request: Arbitrary<object>): Arbitrary<Step> {
  return malformed(request, MALFORMED_PERCENT).map((each) => ({ operation, request: each }))
}

const seldomCondition = { ConditionExpression: sometimes(35, condition) }

/** PutItem, with and without conditions. */
export const PUT_ITEM: Family = {
  name: 'PutItem',
  operations: ['PutItem'],
  weight: 200,
  steps: forTable((table) =>
    step(
      'PutItem',
      withExpressions(
        fc.record({ ...common(table), Item: anyItem(table), ReturnValues: returnOld }),
        seldomCondition,
      ),
    ),
  ),
}

/** DeleteItem, with and without conditions. */
export const DELETE_ITEM: Family = {
  name: 'DeleteItem',
  operations: ['DeleteItem'],
  weight: 50,
  steps: forTable((table) =>
    step(
      'DeleteItem',
      withExpressions(
        fc.record({ ...common(table), Key: anyKey(table), ReturnValues: returnOld }),
        seldomCondition,
      ),
    ),
  ),
}

/** UpdateItem with every clause. */
export const UPDATE_ITEM: Family = {
  name: 'UpdateItem',
  operations: ['UpdateItem'],
  weight: 250,
  steps: forTable((table) =>
    step(
      'UpdateItem',
      withExpressions(fc.record({ ...common(table), Key: anyKey(table), ReturnValues: returnAny }), {
        ConditionExpression: sometimes(20, condition),
        UpdateExpression: sometimes(97, update),
      }),
    ),
  ),
}
