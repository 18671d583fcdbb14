import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { freePlaceholder, PARTITION_NAME, PLACEHOLDER, SORT_NAME } from '../sdk/placeholders.js'
import { type Cursor, keyAt } from './cursor.js'
import { PARTITION_VALUE } from './projection.js'
import type { QueryPlan } from './query-plan.js'
import type { QuerySource, StoredKey } from './query-source.js'
import { expressionOf, expressionOfRange, type SortExpression } from './sort-expression.js'
import { beginsBehind, endsAt, firstBound, from, type SortRange, upTo } from './sort-range.js'

/** The part of one shard that a query has not read yet. */
export interface ShardRest {
  readonly range: SortRange
  /** The key in that range after which to continue. */
  readonly startKey: StoredKey | undefined
}

/**
 * The rest of one shard after a position in the merged order.
 *
 * Items with the position's sort key may be in many shards. Earlier pages included those up to the position's own
 * shard. So shards after it in the order still have to return their items with this sort key, and all others continue
 * after it.
 *
 * @param inclusive whether the sort key itself is read again in every shard, because its items move
 * @returns `undefined` for a shard without remaining items
 */
export function restAfter(
  { source, order, range, equalSortKeys }: QueryPlan,
  shard: number,
  place: Cursor | undefined,
  inclusive: boolean,
): ShardRest | undefined {
  if (place === undefined) return { range, startKey: undefined }
  const isBehind = order.parted && shard > place.shard
  if (place.sort === undefined) {
    if (isBehind || inclusive) return { range, startKey: undefined }
    return !source.isUnique && shard === place.shard ? { range, startKey: place.key } : undefined
  }
  // mark: page-repeats-equal-sort-keys
  if (isBehind || inclusive) return { range: from(range, place.sort, order.direction), startKey: undefined }
  if (!source.isUnique && shard === place.shard) return { range, startKey: place.key }
  if (endsAt(range, place.sort, order.direction)) return undefined
  // mark: page-begins-behind-the-last
  if (equalSortKeys === undefined) return { range, startKey: keyAt(source, shard, place.sort) }
  const rest = equalSortKeys.rangeBehind(range, place.sort, order.direction)
  return rest && { range: rest, startKey: undefined }
}

/**
 * The part of the rest up to a sort key, inclusive.
 *
 * A condition with two bounds includes both. Where the rest begins behind a sort key, the request must not begin with that: it could end
 * among the items with that sort key, before the page has begun.
 *
 * @returns `undefined` if nothing of the rest is there
 */
export function restUpTo(
  plan: QueryPlan,
  shard: number,
  { range: whole, startKey }: ShardRest,
  sort: KeyValue,
): ShardRest | undefined {
  const { direction } = plan.order
  if (beginsBehind(whole, sort, direction)) return undefined
  const range = upTo(whole, sort, direction)
  const first = firstBound(range, direction)
  if (startKey !== undefined || first === undefined || first.inclusive) return { range, startKey }
  return restAfter(
    { ...plan, range },
    shard,
    { sort: first.value, shard: Number.POSITIVE_INFINITY, key: {} },
    false,
  )
}

/** The sort key condition for a range of the plan. */
export function expressionFor(plan: QueryPlan, range: SortRange): SortExpression {
  return range === plan.range ? expressionOf(plan.condition) : expressionOfRange(range)
}

/** The request to one shard, without its start key and its limit. */
export function shardInput(
  {
    common,
    source,
  }: Pick<QueryPlan, 'common'> & { readonly source: Pick<QuerySource, 'hashOf' | 'sortKey'> },
  shard: number,
  sort: SortExpression,
): QueryCommandInput {
  // Not literals with a spread: see `guarded`.
  const names: Record<string, string> = Object.assign({}, common.names)
  const values: Record<string, AttributeValue> = Object.assign({}, common.values)
  const free = (own: string) => freePlaceholder(own, own.startsWith('#') ? common.names : common.values)
  for (const own in sort.values) {
    const value = sort.values[own]
    if (value !== undefined) values[free(own)] = value
  }
  const hash = source.hashOf(shard)
  let test = ''
  let index = 0
  for (const attribute in hash) {
    const name = free(`${PARTITION_NAME}${index || ''}`)
    const placeholder = free(`${PARTITION_VALUE}${index || ''}`)
    names[name] = attribute
    values[placeholder] = hash[attribute] as AttributeValue
    test += `${index === 0 ? '' : ' AND '}${name} = ${placeholder}`
    index += 1
  }
  if (sort.text !== '') {
    if (source.sortKey !== undefined) names[free(SORT_NAME)] = source.sortKey
    test += ` AND ${sort.text.replace(PLACEHOLDER, free)}`
  }
  return Object.assign({}, common.input, {
    KeyConditionExpression: test,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })
}
