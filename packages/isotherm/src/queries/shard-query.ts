import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import type { TableRuntime } from '../table/table-runtime.js'
import { physicalKeyOf } from './cursor.js'
import { PARTITION_NAME } from './projection.js'
import type { QueryPlan } from './query-plan.js'
import { expressionOf, expressionOfRange, SORT_NAME, type SortExpression } from './sort-expression.js'
import { endsAt, from } from './sort-range.js'

/** The request to one shard, before it is given a size. */
export interface ShardQuery {
  readonly input: QueryCommandInput
  /** Sort keys that the request lets through and the query does not want. */
  readonly excluded: readonly KeyValue[]
}

const PARTITION_VALUE = ':isotherm_partition'
const PLACEHOLDER = /[#:][A-Za-z0-9_]+/g

/**
 * What one shard is asked, from the cursor on.
 *
 * Items with the cursor's sort key may stand in many shards. The page before took them up to the cursor's own shard, so a
 * shard behind it in the order has still to give its one, and the others go on after it.
 *
 * @returns `undefined` for a shard with nothing left to give
 */
export function shardQuery(table: TableRuntime, plan: QueryPlan, shard: number): ShardQuery | undefined {
  const { cursor, direction, range, condition } = plan
  if (cursor === undefined) return request(table, plan, shard, expressionOf(condition), undefined)
  const isBehind = (shard - cursor.shard) * direction > 0
  if (cursor.sort === undefined) {
    return isBehind ? request(table, plan, shard, expressionOf(undefined), undefined) : undefined
  }
  if (isBehind)
    return request(table, plan, shard, expressionOfRange(from(range, cursor.sort, direction)), undefined)
  if (endsAt(range, cursor.sort, direction)) return undefined
  return request(table, plan, shard, expressionOf(condition), cursor.sort)
}

function request(
  table: TableRuntime,
  plan: QueryPlan,
  shard: number,
  sort: SortExpression,
  startAfter: KeyValue | undefined,
): ShardQuery {
  const { logical, fetched, input } = plan
  const { partitionKey, sortKey } = table.options
  const keyCondition = `${PARTITION_NAME} = ${PARTITION_VALUE}${sort.text === '' ? '' : ` AND ${sort.text}`}`
  const kept = placeholdersOf(input.FilterExpression, fetched.request.ProjectionExpression)
  const {
    Select: _select,
    ProjectionExpression: _projection,
    ExclusiveStartKey: _start,
    Limit: _limit,
    ...rest
  } = input
  return {
    input: {
      ...rest,
      ...fetched.request,
      KeyConditionExpression: keyCondition,
      ExpressionAttributeNames: {
        ...only(input.ExpressionAttributeNames, kept, unusedBefore(input)),
        [PARTITION_NAME]: partitionKey,
        ...(sortKey !== undefined && (sort.text !== '' || kept.has(SORT_NAME))
          ? { [SORT_NAME]: sortKey }
          : {}),
      },
      ExpressionAttributeValues: {
        ...only(input.ExpressionAttributeValues, kept, unusedBefore(input)),
        ...sort.values,
        [PARTITION_VALUE]: physicalValue(table, plan, shard),
      },
      ReturnConsumedCapacity: input.ReturnConsumedCapacity === 'INDEXES' ? 'INDEXES' : 'TOTAL',
      ...(startAfter === undefined
        ? {}
        : { ExclusiveStartKey: physicalKeyOf(table, logical, shard, startAfter) }),
    },
    excluded: sort.excluded,
  }
}

function physicalValue(table: TableRuntime, { logical }: QueryPlan, shard: number): AttributeValue {
  return { ...table.suffix.add(logical, shard) }
}

/** What the key condition alone used is gone with it; what nothing used stays, for the service to refuse. */
function only<Value>(
  defined: Record<string, Value> | undefined,
  kept: ReadonlySet<string>,
  isUnused: (placeholder: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(defined ?? {}).filter(([placeholder]) => kept.has(placeholder) || isUnused(placeholder)),
  )
}

function unusedBefore(input: QueryCommandInput): (placeholder: string) => boolean {
  const used = placeholdersOf(
    input.KeyConditionExpression,
    input.FilterExpression,
    input.ProjectionExpression,
  )
  return (placeholder) => !used.has(placeholder)
}

/** Expressions have no literals, so whatever looks like a placeholder is one. */
function placeholdersOf(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text?.match(PLACEHOLDER) ?? []))
}
