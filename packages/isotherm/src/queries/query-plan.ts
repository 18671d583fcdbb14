import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import {
  bindKeyCondition,
  type ConditionAst,
  type Item,
  type KeyAttributes,
  type KeyValue,
  LIMIT_TEXT,
  NO_KEY_CONDITION_TEXT,
  Placeholders,
  parseCondition,
  type SortCondition,
} from '@isotherm/semantics'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { canonicalKeyValue } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { presentedItem } from '../keys/presented-item.js'
import { readKey } from '../keys/read-key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { validationException } from '../sdk/validation-exception.js'
import { type CommonRequest, commonRequest } from './common-request.js'
import { readCursor } from './cursor.js'
import { type FetchedAttributes, fetchedAttributes } from './projection.js'
import type { QueriedTable } from './queried-table.js'
import type { EqualSortKeys, MergedQuery, ScatteredRoute } from './query-route.js'
import { type QuerySource, tableSource } from './query-source.js'
import { rangeOf, type SortRange } from './sort-range.js'

/** A parsed and checked query. */
export interface QueryPlan extends MergedQuery {
  readonly input: QueryCommandInput
  /** The queried key of the table. `undefined` for an index with its own key, which has items of many logical keys. */
  readonly logical: LogicalKey | undefined
  /** The key attributes to add to every item of a sharded index, even if the index projects only stored keys. */
  readonly indexKey: Readonly<Record<string, KeyValue>>
  readonly condition: SortCondition | undefined
  readonly range: SortRange
  readonly consistent: boolean
  readonly limit: number | undefined
  readonly fetched: FetchedAttributes
  readonly common: CommonRequest
  readonly filtered: boolean
  /** Returns a copy of an item as the application wrote it. */
  readonly presented: (item: Record<string, AttributeValue>) => Record<string, AttributeValue>
  /** Present where sort keys may be equal within one shard. */
  readonly equalSortKeys: EqualSortKeys | undefined
}

/**
 * @param hasLogicalStart whether the start key has the logical key, although it is the stored key of a shard, too
 * @throws IsothermError `key.*` or `cursor.invalid`; a `ValidationException` with the service's text for requests that
 * the service would reject
 */
export function planQuery(
  table: QueriedTable,
  route: ScatteredRoute,
  input: QueryCommandInput,
  hasLogicalStart = false,
): QueryPlan {
  requireLimit(input.Limit)
  const { partition, condition } = takeApart(input, schemaOf(table.options, route))
  const { source, logical, indexKey = {}, presented } = sourceOf(table, route, partition)
  const range = rangeOf(condition)
  const { ExclusiveStartKey: start } = input
  const fetched = fetchedAttributes(input, neededAttributes(table, source))
  return {
    input,
    source,
    logical,
    indexKey,
    condition,
    range,
    order: {
      direction: input.ScanIndexForward === false ? -1 : 1,
      parted: !source.isUnique || table.placementKind === 'random',
    },
    consistent: input.ConsistentRead === true,
    limit: input.Limit,
    cursor: start && readCursor(table.options.name, source, range, start, hasLogicalStart),
    fetched,
    common: commonRequest(input, fetched, source.indexName),
    filtered: input.FilterExpression !== undefined,
    presented,
    equalSortKeys: source.isUnique || route.kind === 'table' ? undefined : route.equalSortKeys,
  }
}

/**
 * Returns the value of the partition key in the key condition.
 * @throws ValidationError with the service's text for an invalid condition
 */
export function queriedPartition(
  { options }: QueriedTable,
  route: ScatteredRoute,
  input: QueryCommandInput,
): KeyValue {
  return takeApart(input, schemaOf(options, route)).partition
}

function schemaOf({ partitionKey, sortKey }: ShardedTable, route: ScatteredRoute): KeyAttributes {
  const hash = route.kind === 'sharded' ? route.partitionKey : partitionKey
  const range = route.kind === 'table' ? sortKey : route.sortKey
  return { hash: [{ name: hash }], range: range === undefined ? [] : [{ name: range }] }
}

function sourceOf(
  table: QueriedTable,
  route: ScatteredRoute,
  partition: KeyValue,
): Pick<QueryPlan, 'source' | 'logical' | 'presented'> & Partial<Pick<QueryPlan, 'indexKey'>> {
  if (route.kind === 'sharded') {
    const source = route.sourceOf(table, partition)
    return {
      source,
      logical: undefined,
      indexKey: { [route.partitionKey]: partition },
      presented: (item) => route.presented(table, item),
    }
  }
  const { name, partitionKey, sortKey } = table.options
  const logical = readKey(name, partitionKey, partition) as LogicalKey
  const presented: QueryPlan['presented'] = (item) => presentedItem(table.options, logical, item)
  if (route.kind === 'covering') return { source: tableSource(table, logical, route), logical, presented }
  const replica =
    route.replica === undefined ? undefined : ({ kind: 'replica', name: route.replica, sortKey } as const)
  return { source: tableSource(table, logical, replica), logical, presented }
}

/** The attributes needed to order an item, and to end a page with it. */
function neededAttributes({ options, placementKind }: QueriedTable, source: QuerySource): readonly string[] {
  if (!source.isUnique) return [...new Set([...source.keyAttributes, ...hashAttributes(source)])]
  const mayHaveMoved = placementKind === 'random' && options.itemsMayMove
  const order = source.sortKey === undefined ? hashAttributes(source) : [source.sortKey]
  return mayHaveMoved ? [...order, MOVE_ATTRIBUTES.moved] : order
}

function hashAttributes(source: QuerySource): readonly string[] {
  return Object.keys(source.hashOf(1))
}

function takeApart(input: QueryCommandInput, schema: KeyAttributes) {
  const { KeyConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = input
  if (KeyConditionExpression === undefined) {
    throw validationException(NO_KEY_CONDITION_TEXT)
  }
  const { partition, sort } = bindKeyCondition(
    keyCondition(KeyConditionExpression),
    new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues as unknown as Item),
    schema,
  )
  const [condition] = sort
  return {
    partition: canonicalKeyValue(partition[0]),
    condition: condition && canonicalCondition(condition),
  }
}

/** Applications have tens of key conditions, and use the same ones repeatedly. */
const MAX_KEPT_CONDITIONS = 500

const parsedConditions = new RecentlyUsedMap<string, ConditionAst>(MAX_KEPT_CONDITIONS)

/** @throws ValidationError */
function keyCondition(expression: string): ConditionAst {
  const known = parsedConditions.get(expression)
  if (known !== undefined) return known
  const parsed = parseCondition('KeyConditionExpression', expression)
  parsedConditions.set(expression, parsed)
  return parsed
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
  throw validationException(LIMIT_TEXT)
}
