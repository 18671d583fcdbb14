import type { AttributeValue, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { SendOptions } from '../sdk/physical-client.js'
import { presentedItem } from '../table/presented-item.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { writeCursor } from './cursor.js'
import { PageBudget } from './page-budget.js'
import { planQuery, type QueryPlan } from './query-plan.js'
import { type GatheredPage, gather } from './scatter-gather.js'
import { shardQuery } from './shard-query.js'
import { type PlacedItem, ShardStream } from './shard-stream.js'

/** Asks every shard of the key and answers as one table would: in order, page by page, with logical keys. */
export async function query(
  table: TableRuntime,
  request: LowLevelRequest,
  options: SendOptions | undefined,
): Promise<QueryCommandOutput> {
  const plan = planQuery(table, request.input as unknown as QueryCommandInput)
  const { logical, consistent, cursor } = plan
  const { readable: shards } = await table.views.forRead(logical, {
    consistent,
    atLeast: cursor?.shard ?? 1,
  })
  const streams = openStreams(table, plan, request, shards)
  const page = await gather(
    streams,
    plan.direction,
    new PageBudget(plan, table.meanItemBytes, streams.length),
    options,
  )
  return toOutput(table, plan, page)
}

function openStreams(
  table: TableRuntime,
  plan: QueryPlan,
  request: LowLevelRequest,
  shards: number,
): readonly ShardStream[] {
  const streams: ShardStream[] = []
  for (let shard = 1; shard <= shards; shard++) {
    const asked = shardQuery(table, plan, shard)
    if (asked !== undefined) streams.push(new ShardStream(table, plan, request, asked, shard))
  }
  return streams
}

function toOutput(table: TableRuntime, plan: QueryPlan, page: GatheredPage): QueryCommandOutput {
  const { input, logical } = plan
  const count = page.items.length
  const returnsCapacity =
    input.ReturnConsumedCapacity !== undefined && input.ReturnConsumedCapacity !== 'NONE'
  return {
    $metadata: page.metadata,
    Count: count,
    ScannedCount: plan.filtered ? scannedCount(plan, page) : count,
    ...(input.Select === 'COUNT' ? {} : { Items: page.items.map((item) => presented(table, plan, item)) }),
    ...(page.cursor === undefined ? {} : { LastEvaluatedKey: writeCursor(table, logical, page.cursor) }),
    ...(returnsCapacity && page.capacity !== undefined ? { ConsumedCapacity: page.capacity } : {}),
  }
}

/** Never above the limit, as in the service; several shards may have evaluated an item each for a limit of one. */
function scannedCount(
  { limit = Number.POSITIVE_INFINITY }: QueryPlan,
  { items, scanned }: GatheredPage,
): number {
  return Math.max(items.length, Math.min(scanned, limit))
}

function presented(
  table: TableRuntime,
  { logical, fetched }: QueryPlan,
  { item }: PlacedItem,
): Record<string, AttributeValue> {
  const shown = presentedItem(table.options, logical, item)
  const { sortKey } = table.options
  if (fetched.hidesSortKey && sortKey !== undefined) delete shown[sortKey]
  return shown
}
