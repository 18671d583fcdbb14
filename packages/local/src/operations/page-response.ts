import {
  type BoundCondition,
  type Item,
  type Projection,
  project,
  type ReadConsistency,
} from '@isotherm/semantics'
import { invalidParameters, validationException } from '../errors/service-error.js'
import { ATTRIBUTES_TO_GET } from '../legacy/attributes-to-get.js'
import { CONDITIONAL_OPERATOR, type ConditionalOperator } from '../legacy/conditional-operator.js'
import { afterwards } from '../storage/afterwards.js'
import type { Awaitable } from '../storage/storage.js'
import { filteredItems } from '../table/filtered-items.js'
import type { Page } from '../table/page.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import {
  EXPRESSION,
  ITEM,
  NAMES,
  RETURN_CONSUMED_CAPACITY,
  TABLE,
  TABLE_NAME,
} from '../validation/members.js'
import { AnsweredItems } from './answered-items.js'
import { type ConsumedCapacity, consumedRead, type ReturnConsumedCapacity } from './consumed-capacity.js'
import type { ExpressionInput } from './expressions.js'

/** The common part of Query and Scan: where to read, what to keep, and how to respond. */
export interface PageInput extends ExpressionInput {
  readonly TableName: string
  readonly IndexName?: string
  readonly Select?: string
  readonly Limit?: number
  readonly ConsistentRead?: boolean
  readonly ExclusiveStartKey?: unknown
  readonly FilterExpression?: string
  readonly ProjectionExpression?: string
  readonly AttributesToGet?: readonly string[]
  readonly ConditionalOperator?: ConditionalOperator
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

/** The members of `PageInput`, for the shape of a request. */
export const PAGE_MEMBERS = {
  TableName: { ...TABLE, required: true },
  IndexName: TABLE_NAME,
  Select: {
    type: 'string',
    oneOf: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'],
  },
  Limit: { type: 'integer', value: { min: 1 }, newWording: true },
  ConsistentRead: { type: 'boolean' },
  ExclusiveStartKey: ITEM,
  FilterExpression: EXPRESSION,
  ProjectionExpression: EXPRESSION,
  ExpressionAttributeNames: NAMES,
  ExpressionAttributeValues: ITEM,
  AttributesToGet: ATTRIBUTES_TO_GET,
  ConditionalOperator: CONDITIONAL_OPERATOR,
  ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
} as const

/** @throws ServiceError for a Select that contradicts the rest of the request. */
export function checkSelect(input: PageInput, index: SecondaryIndex | undefined): void {
  const { Select: select, ProjectionExpression: projection, AttributesToGet: attributes } = input
  if (select === undefined) return
  const chosen = projection ?? attributes
  if (chosen !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    const what = select === 'COUNT' ? 'only the Count' : select
    throw validationException(
      `Cannot specify the ${projection === undefined ? 'AttributesToGet' : 'ProjectionExpression'} when choosing to get ${what}`,
    )
  }
  if (select === 'SPECIFIC_ATTRIBUTES' && chosen === undefined) {
    throw validationException(
      '1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    )
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && index === undefined) {
    throw validationException('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName')
  }
  if (
    select === 'ALL_ATTRIBUTES' &&
    index !== undefined &&
    !index.isLocal &&
    index.definition.projection.type !== 'ALL'
  ) {
    throw invalidParameters(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.definition.name} because its projection type is not ALL`,
    )
  }
}

export function consistencyOf(input: PageInput): ReadConsistency {
  return input.ConsistentRead ? 'strong' : 'eventual'
}

/** The response for a page: filtered, projected and counted, with the key where the next page begins. */
export function pageResponse(
  table: Table,
  index: SecondaryIndex | undefined,
  input: PageInput,
  page: Page,
  filter: BoundCondition | undefined,
  projection: Projection | undefined,
): Awaitable<object> {
  const { ConsumedCapacity } = consumedRead(input.TableName, input.ReturnConsumedCapacity, page, index)
  return afterwards(filteredItems(page.items, filter), (kept) => {
    // Members are set one by one. Spreading optional members costs more than reading a small page.
    const response: PageOutput = { Count: kept.length, ScannedCount: page.items.length }
    if (input.Select !== 'COUNT') {
      response.Items =
        projection === undefined ? new AnsweredItems(kept) : kept.map(({ item }) => project(projection, item))
    }
    if (page.last !== undefined) response.LastEvaluatedKey = (index ?? table).keyOf(page.last.stored.item)
    if (ConsumedCapacity !== undefined) response.ConsumedCapacity = ConsumedCapacity
    return response
  })
}

interface PageOutput {
  Count: number
  ScannedCount: number
  Items?: AnsweredItems | readonly Item[]
  LastEvaluatedKey?: Item
  ConsumedCapacity?: ConsumedCapacity
}
