import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import {
  type BoundCondition,
  bindCondition,
  type ConditionAst,
  conditionPaths,
  type Item,
  type KeyValue,
  Placeholders,
  parseCondition,
} from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { presentedStoredItem } from '../keys/presented-item.js'
import type { ShardedTable } from '../options/sharded-table.js'
import { fixedView, type ShardView } from '../protocol/index.js'
import { queriedPartition } from '../queries/query-plan.js'
import type {
  CoveringRoute,
  InvertedRoute,
  PlainRoute,
  QueryRoute,
  ShardedIndexRoute,
} from '../queries/query-route.js'
import { EQUAL_SORT_KEYS } from './equal-sort-keys.js'
import type { IndexCheck } from './index-check.js'
import type { TableIndexCounts } from './index-counts.js'
import type { ShardedIndex } from './index-options.js'
import { shardedIndexSource } from './index-source.js'
import { queryInverted } from './inverted-query.js'
import { ShadowKey } from './shadow-key.js'
import { withShardOfItem } from './start-key-without-shard.js'
import { withStoredInvertedStartKey, withStoredStartKey } from './stored-start-key.js'
import type { TableWithIndexes } from './table-with-indexes.js'

const WHOLE_KEY_CURE =
  'The index has the keys with their suffixes, so only the whole of it can be asked for. Leave the condition out, or filter the result.'

const PLAIN: PlainRoute = {
  kind: 'plain',
  presented: presentedStoredItem,
  withStoredStart: (command, input) => withStoredStartKey(command, input),
}

/**
 * Routes a query of an index. A query of an index that is missing in the options is sent unchanged, unless its
 * condition has the table's partition key. In that case the items are distributed over that key's shards.
 *
 * @throws IsothermError `command.parameter-unsupported`
 */
export function routeOfIndex(
  { options: table, indexes, indexCounts, indexChecks }: TableWithIndexes,
  input: QueryCommandInput,
  name: string,
): QueryRoute {
  const { KeyConditionExpression } = input
  refuseFilterOnPartitionKey(table, input)
  if (table.readReplicas.includes(name)) return { kind: 'table', replica: name }
  const known = indexes.get(name)
  if (known?.kind === 'sharded') {
    refuseRangeOfStoredKeys(table, known, input)
    return shardedRoute(known, indexCounts, indexChecks.get(name))
  }
  const { partitionKey, sortKey: tableSort } = table
  const isInverted = known?.sortKey === partitionKey
  if (known !== undefined && !isInverted) return coveringRoute(known.name, known.sortKey)
  if (KeyConditionExpression === undefined) return PLAIN
  const condition = boundOf(input, 'KeyConditionExpression', KeyConditionExpression)
  const asked = namesIn(condition)
  if (!isInverted && !asked.includes(partitionKey)) return PLAIN
  if (!isEqualityOf(condition, partitionKey)) {
    if (table.suffix === 'none') return PLAIN
    if (tableSort !== undefined && isEqualityOf(condition, tableSort)) return invertedRoute(tableSort)
    throw rangeOfStoredKeys(table)
  }
  const sortKey = asked.find((attribute) => attribute !== partitionKey)
  if (sortKey !== undefined) return coveringRoute(name, sortKey)
  throw refuseParameter(
    table.name,
    'Query',
    `IndexName ${name} and no condition on its sort key`,
    `Name the sort key, by which shards are merged, in the table's options: indexes: { ${name}: { sortKey: '...' } }.`,
  )
}

function coveringRoute(name: string, sortKey: string): CoveringRoute {
  const route: CoveringRoute = {
    kind: 'covering',
    name,
    sortKey,
    equalSortKeys: EQUAL_SORT_KEYS,
    withStoredStart: (command, input) => {
      if (input.ExclusiveStartKey === undefined) return undefined
      return withStoredStartKey(command, input, queriedPartition(command.table, route, input))
    },
  }
  return route
}

function invertedRoute(hashAttribute: string): InvertedRoute {
  return {
    kind: 'inverted',
    read: (read) => queryInverted({ ...read, hashAttribute }),
    withStoredStart: withStoredInvertedStartKey,
  }
}

function shardedRoute(
  index: ShardedIndex,
  indexCounts: TableIndexCounts,
  check: IndexCheck | undefined,
): ShardedIndexRoute {
  const { partitionKey, sortKey, shards, shard } = index
  const counts = indexCounts.get(shard.attribute)
  const knownView = ({ options }: KeyedTable, value: KeyValue, atLeast: number) => {
    if (counts === undefined) return fixedView(shards.kind === 'fixed' ? shards.count() : shards.initial)
    return counts.forRead(counts.keyOf(new ShadowKey(options, index).storedValue(value)), atLeast)
  }
  const route: ShardedIndexRoute = {
    kind: 'sharded',
    partitionKey,
    sortKey,
    withStoredStart: (command, input) => {
      if (input.ExclusiveStartKey === undefined) return undefined
      return withShardOfItem(command, input, index, queriedPartition(command.table, route, input))
    },
    viewOf: (table, value, atLeast) => {
      const known = knownView(table, value, atLeast)
      if (check === undefined) return known
      const checked = (view: ShardView) => check.beforeQuery(value, view)?.then(() => view) ?? view
      return known instanceof Promise ? known.then(checked) : checked(known)
    },
    sourceOf: (table, partition) => shardedIndexSource(table, index, partition),
    presented: presentedStoredItem,
    equalSortKeys: EQUAL_SORT_KEYS,
  }
  return route
}

function rangeOfStoredKeys({ name, partitionKey }: ShardedTable) {
  return refuseParameter(
    name,
    'Query',
    `a range of ${partitionKey} in its KeyConditionExpression`,
    WHOLE_KEY_CURE,
  )
}

/** Refuses a condition on the sort key of a sharded index that has the table's partition key as its sort key, with its suffixes. */
function refuseRangeOfStoredKeys(
  table: ShardedTable,
  { sortKey }: ShardedIndex,
  input: QueryCommandInput,
): void {
  const { KeyConditionExpression } = input
  if (table.suffix === 'none' || sortKey !== table.partitionKey || KeyConditionExpression === undefined)
    return
  const condition = boundOf(input, 'KeyConditionExpression', KeyConditionExpression)
  if (namesIn(condition).includes(sortKey)) throw rangeOfStoredKeys(table)
}

function refuseFilterOnPartitionKey(table: ShardedTable, input: QueryCommandInput): void {
  const { FilterExpression } = input
  if (FilterExpression === undefined || table.suffix === 'none') return
  if (!namesIn(boundOf(input, 'FilterExpression', FilterExpression)).includes(table.partitionKey)) return
  throw refuseParameter(
    table.name,
    'Query',
    `${table.partitionKey} in its FilterExpression`,
    'The filter would see the key with its suffix. Filter the result, or keep the key in an attribute of its own.',
  )
}

function boundOf(
  { ExpressionAttributeNames, ExpressionAttributeValues }: QueryCommandInput,
  parameter: 'KeyConditionExpression' | 'FilterExpression',
  text: string,
): BoundCondition {
  const ast: ConditionAst = parseCondition(parameter, text)
  const placeholders = new Placeholders(
    ExpressionAttributeNames,
    ExpressionAttributeValues as unknown as Item,
  )
  return bindCondition(parameter, ast, placeholders)
}

function namesIn(condition: BoundCondition): readonly string[] {
  return conditionPaths(condition).map(([name]) => name)
}

function isEqualityOf(condition: BoundCondition, attribute: string): boolean {
  if (condition.kind === 'and') {
    return isEqualityOf(condition.left, attribute) || isEqualityOf(condition.right, attribute)
  }
  return condition.kind === 'compare' && condition.operator === '=' && namesIn(condition).includes(attribute)
}
