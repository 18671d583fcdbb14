import { type BoundCondition, type Item, matches } from '@isotherm/semantics'
import { conditionalCheckFailed } from '../errors/service-error.js'
import { CONDITIONAL_OPERATOR } from '../legacy/conditional-operator.js'
import { EXPECTED, type ExpectedInput } from '../legacy/expected.js'
import { afterwards } from '../storage/afterwards.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Awaitable } from '../storage/storage.js'
import type { ItemWrite, WriteUnits } from '../table/item-write.js'
import { proposedItem } from '../table/proposed-item.js'
import type { Table } from '../table/table.js'
import {
  EXPRESSION,
  ITEM,
  NAMES,
  RETURN_COLLECTION_METRICS,
  RETURN_CONSUMED_CAPACITY,
  RETURN_ON_FAILURE,
  TABLE,
} from '../validation/members.js'
import { consumedCapacity, type ReturnConsumedCapacity } from './consumed-capacity.js'
import type { ExpressionInput } from './expressions.js'
import { itemCollectionMetrics, type ReturnItemCollectionMetrics } from './item-collection-metrics.js'

/** The common part of the three operations that write one item. */
export interface WriteInput extends ExpressionInput, ExpectedInput {
  readonly TableName: string
  readonly ConditionExpression?: string
  readonly ReturnValues?: string
  readonly ReturnValuesOnConditionCheckFailure?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

/** The members of `WriteInput`, for the shape of a request, in the order in which the service reports them. */
export const WRITE_MEMBERS = {
  ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
  TableName: { ...TABLE, required: true },
  ConditionExpression: EXPRESSION,
  Expected: EXPECTED,
  ConditionalOperator: CONDITIONAL_OPERATOR,
  ExpressionAttributeNames: NAMES,
  ExpressionAttributeValues: ITEM,
  ReturnValues: { type: 'string', oneOf: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] },
  ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
  ReturnItemCollectionMetrics: RETURN_COLLECTION_METRICS,
} as const

/** A write before its condition is checked: the existing item, and a function that makes the new one. */
interface ProposedWrite extends Pick<ItemWrite, 'key' | 'before'> {
  make(): StoredItem | undefined
}

/**
 * Checks a write's condition. A write whose condition is false is charged.
 * @throws ServiceError ConditionalCheckFailedException, or Throttled when the charge exceeds the capacity.
 */
export function checkCondition(
  table: Table,
  { key, before, make }: ProposedWrite,
  condition: BoundCondition | undefined,
  input: WriteInput,
): void {
  if (condition === undefined || matches(condition, before?.item)) return
  table.chargeFailedCondition({ key, before, after: proposedItem(make) })
  const returnsOld = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined
  throw conditionalCheckFailed(returnsOld ? before.item : undefined)
}

/** Makes the write and returns the response. @throws Throttled */
export function makeWrite(
  table: Table,
  write: ItemWrite,
  input: WriteInput,
  attributes: Item | undefined,
): Awaitable<object> {
  const answer = (units: WriteUnits) => {
    const metrics = itemCollectionMetrics(table, input.ReturnItemCollectionMetrics, write)
    const { ConsumedCapacity } = consumedCapacity(input.TableName, input.ReturnConsumedCapacity, units)
    const response: { [member: string]: unknown } = {}
    if (attributes !== undefined) response.Attributes = attributes
    if (ConsumedCapacity !== undefined) response.ConsumedCapacity = ConsumedCapacity
    if (metrics !== undefined) response.ItemCollectionMetrics = metrics
    return response
  }
  return afterwards(table.write(write), answer)
}
