import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import {
  bindKeyCondition,
  type Item,
  Placeholders,
  parseCondition,
  type SortCondition,
  ValidationError,
} from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import { canonicalKeyValue } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { readCursor } from './cursor.js'
import type { Position } from './position.js'
import { type FetchedAttributes, fetchedAttributes } from './projection.js'
import { rangeOf, type SortRange } from './sort-range.js'
import { validationException } from './validation-exception.js'

/** A query taken apart and checked. */
export interface QueryPlan {
  readonly input: QueryCommandInput
  readonly logical: LogicalKey
  readonly condition: SortCondition | undefined
  readonly range: SortRange
  readonly direction: 1 | -1
  readonly consistent: boolean
  readonly limit: number | undefined
  readonly cursor: Position | undefined
  readonly fetched: FetchedAttributes
  readonly filtered: boolean
}

const UNSUPPORTED = {
  IndexName: 'Query the index through the client that isotherm was given; its items have physical keys.',
  KeyConditions: 'Say the same with KeyConditionExpression.',
  QueryFilter: 'Say the same with FilterExpression.',
  AttributesToGet: 'Say the same with ProjectionExpression.',
  ConditionalOperator: 'Say the same with FilterExpression.',
} as const

/**
 * @throws IsothermError `command.parameter-unsupported`, `key.*` or `cursor.invalid`; a `ValidationException` in the
 * service's words for what the service would refuse
 */
export function planQuery(table: TableRuntime, input: QueryCommandInput): QueryPlan {
  for (const [parameter, cure] of Object.entries(UNSUPPORTED)) {
    if (input[parameter as keyof typeof UNSUPPORTED] !== undefined)
      throw refuseParameter(table.options.name, 'Query', parameter, cure)
  }
  try {
    return planned(table, input)
  } catch (error) {
    if (error instanceof ValidationError) throw validationException(error.message, error)
    throw error
  }
}

function planned(table: TableRuntime, input: QueryCommandInput): QueryPlan {
  const { name, partitionKey, sortKey } = table.options
  requireLimit(input.Limit)
  const { partition, condition } = takeApart(table, input)
  const logical = readKey(name, partitionKey, partition) as LogicalKey
  const range = rangeOf(condition)
  const { ExclusiveStartKey } = input
  return {
    input,
    logical,
    condition,
    range,
    direction: input.ScanIndexForward === false ? -1 : 1,
    consistent: input.ConsistentRead === true,
    limit: input.Limit,
    cursor:
      ExclusiveStartKey === undefined ? undefined : readCursor(table, logical, range, ExclusiveStartKey),
    fetched: fetchedAttributes(input, sortKey),
    filtered: input.FilterExpression !== undefined,
  }
}

function takeApart(table: TableRuntime, input: QueryCommandInput) {
  const { partitionKey, sortKey } = table.options
  const { KeyConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = input
  if (KeyConditionExpression === undefined) {
    throw validationException(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  }
  const { partition, sort } = bindKeyCondition(
    parseCondition('KeyConditionExpression', KeyConditionExpression),
    new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues as unknown as Item),
    { hash: [{ name: partitionKey }], range: sortKey === undefined ? [] : [{ name: sortKey }] },
  )
  const condition = sort[0]
  return {
    partition: partition[0],
    condition: condition === undefined ? undefined : canonicalCondition(condition),
  }
}

function canonicalCondition(condition: SortCondition): SortCondition {
  if (condition.operator === 'begins_with') return condition
  if (condition.operator === 'between') {
    return { ...condition, from: canonicalKeyValue(condition.from), to: canonicalKeyValue(condition.to) }
  }
  return { ...condition, value: canonicalKeyValue(condition.value) }
}

function requireLimit(limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 1)) return
  throw validationException(
    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  )
}
