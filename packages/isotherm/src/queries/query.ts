import type { AttributeValue, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { AbortScope } from '../attempts/abort-scope.js'
import { ShardReader } from '../attempts/shard-reader.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { refuseLegacy } from '../errors/refuse.js'
import { checkStored, fixedView, hasMoves, isConfirmed, isInTime, type ShardView } from '../protocol/index.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { inServiceWords } from '../sdk/validation-exception.js'
import { type CopyFilter, PlaceCopyFilter } from './copy-filter.js'
import { checkStartKey, namedShard, writeCursor } from './cursor.js'
import { GatheredPage } from './gathered-page.js'
import { noteGivenKey } from './given-start-keys.js'
import { openStreams } from './open-streams.js'
import { hasLogicalStart } from './own-start-key.js'
import { PageBudget } from './page-budget.js'
import type { QueriedTable } from './queried-table.js'
import { planQuery, type QueryPlan } from './query-plan.js'
import { type PlainRoute, type QueryRoute, routeOf, type ScatteredRoute } from './query-route.js'
import { gather } from './scatter-gather.js'

/** The legacy parameters, and the expressions that replace them. */
const LEGACY = {
  KeyConditions: 'KeyCondition',
  QueryFilter: 'Filter',
  AttributesToGet: 'Projection',
  ConditionalOperator: 'Filter',
}

/**
 * How often a page may read the shard map again because reading the shards took too long. More often indicates a
 * problem.
 */
const MAX_VIEWS = 5

/**
 * Queries every shard of the key and merges the results as one table would return them: in order, in pages, with
 * logical keys.
 *
 * @throws IsothermError `command.parameter-unsupported`, `key.*`, `cursor.invalid` or `query.outdated`; a
 * `ValidationException` with the service's text for requests that the service would reject
 */
export function query(command: TakenCommand<QueriedTable>): Promise<QueryCommandOutput> {
  const { table, request } = command
  const input = request.input as unknown as QueryCommandInput
  refuseLegacy(table.options.name, 'Query', input, LEGACY)
  const route = inServiceWords(() => {
    checkStartKey(table.options.name, input.ExclusiveStartKey)
    return routeOf(table, input)
  })
  const started = startOf(command, route, input)
  const output =
    started instanceof Promise
      ? started.then((start) => routed(command, route, start))
      : routed(command, route, started)
  return output.then((page) => {
    if (mayBeLookedFor(table, route)) noteGivenKey(table, page.LastEvaluatedKey)
    return page
  })
}

/** The input of a query with what its start key stands for. */
interface StartedQuery {
  readonly input: QueryCommandInput
  /** Whether the start key has the logical key, although it could be the stored key of the first shard. */
  readonly hasLogicalStart: boolean
}

function startOf(
  command: TakenCommand<QueriedTable>,
  route: QueryRoute,
  input: QueryCommandInput,
): StartedQuery | Promise<StartedQuery> {
  if ('withStoredStart' in route) {
    const stored = inServiceWords(() => route.withStoredStart(command, input))
    return stored?.then((input) => ({ input, hasLogicalStart: false })) ?? { input, hasLogicalStart: false }
  }
  const isLogical = hasLogicalStart(command, input)
  return (
    isLogical?.then((hasLogicalStart) => ({ input, hasLogicalStart })) ?? { input, hasLogicalStart: false }
  )
}

/** Whether a start key of the route may make a query look for its item, unless it is known to be a given one. */
function mayBeLookedFor({ options, placementKind }: QueriedTable, route: QueryRoute): boolean {
  // The stored start keys of a sharded index have its shard.
  if (route.kind === 'sharded') return false
  return route.kind === 'table' ? options.adopt && placementKind === 'random' : placementKind !== 'bare'
}

function routed(
  { table, request, options }: TakenCommand<QueriedTable>,
  route: QueryRoute,
  { input, hasLogicalStart }: StartedQuery,
): Promise<QueryCommandOutput> {
  const isScattered = route.kind !== 'plain' && route.kind !== 'inverted'
  const planned = isScattered
    ? {
        kind: 'scattered' as const,
        route,
        plan: inServiceWords(() => planQuery(table, route, input, hasLogicalStart)),
      }
    : route
  const scope = new AbortScope([options?.abortSignal, table.destroyed])
  const readerOf = (replica?: string) => new ShardReader(table, request, options, scope.signal, replica)
  if (planned.kind === 'plain') return scope.run(() => plainQuery(table, planned, readerOf(), input))
  if (planned.kind === 'inverted') {
    // Async, so that the scope ends with an invalid request, too.
    return scope.run(async () => inServiceWords(() => planned.read({ table, input, reader: readerOf() })))
  }
  const { plan } = planned
  return scope
    .run(() => gatherPage(table, planned.route, plan, readerOf))
    .then((page) => toOutput(plan, page))
}

async function gatherPage(
  table: QueriedTable,
  route: ScatteredRoute,
  plan: QueryPlan,
  readerOf: (replica?: string) => ShardReader,
): Promise<GatheredPage> {
  const { options, meanItemBytes } = table
  const page = new GatheredPage(plan)
  const budget = new PageBudget(plan, meanItemBytes)
  const read = (view: ShardView, isOutdated: () => boolean | Promise<boolean>): Promise<boolean> => {
    const mayMove = plan.logical !== undefined && hasMoves(view)
    const reader = readerOf(mayMove ? undefined : replicaFor(table, plan))
    return gather({
      plan,
      streams: openStreams({ table, plan, reader, view, mayMove, place: page.place }),
      page,
      budget,
      // mark: moving-item-is-given-once
      copies: mayMove ? copyFilter(plan, options.partitionKey) : undefined,
      isOutdated,
    })
  }
  let known = viewFor(table, route, plan)
  const guess = known instanceof Promise ? guessFor(table, route, plan) : undefined
  if (guess !== undefined) {
    const asked = Promise.resolve(known)
    // Once confirmed, it is as good as the view that has confirmed it.
    const confirmed = asked.then((view) => isConfirmed(guess, view, table))
    // Nobody waits for it if a shard cannot be read.
    confirmed.catch(() => {})
    const isOutdated = async () => !(await confirmed) || !isInTime(await asked, table)
    if (await read(guess, isOutdated)) return page
  }
  for (let look = 0; look < MAX_VIEWS; look++) {
    if (look > 0) known = viewFor(table, route, plan)
    const view = known instanceof Promise ? await known : known
    // Only from that time on, an item may have moved to a shard that this view does not include.
    const isComplete = await read(view, () => !isInTime(view, table))
    // mark: complete-page-is-given
    if (isComplete) return page
  }
  const { name, cacheMilliseconds, lateRequestMilliseconds } = options
  throw new IsothermError(
    'query.outdated',
    `A query of ${name} took longer than cacheTtl and lateRequests (${cacheMilliseconds} and ${lateRequestMilliseconds} ms) ${MAX_VIEWS} times over. ` +
      'Ask for smaller pages, or raise lateRequests in every process.',
    { table: name, lateRequestMilliseconds },
  )
}

/** What a consistent query of a random key may ask the shards by, while it asks the shard map. */
function guessFor(
  table: QueriedTable,
  route: ScatteredRoute,
  { logical, consistent, cursor }: QueryPlan,
): ShardView | undefined {
  if (route.kind === 'sharded' || logical === undefined || !consistent) return undefined
  const guess = table.views.guess(logical)
  return guess !== undefined && guess.readable >= namedShard(cursor) ? guess : undefined
}

function viewFor(
  table: QueriedTable,
  route: ScatteredRoute,
  { logical, indexKey, consistent, cursor }: QueryPlan,
): ShardView | Promise<ShardView> {
  const atLeast = namedShard(cursor)
  const value = route.kind === 'sharded' ? indexKey[route.partitionKey] : undefined
  if (route.kind === 'sharded' && value !== undefined) {
    // mark: index-query-asks-every-shard
    return route.viewOf(table, value, atLeast)
  }
  return logical === undefined ? fixedView(1) : table.views.forRead(logical, { consistent, atLeast })
}

/** The table or one of its replicas, chosen randomly for each query. */
function replicaFor(
  { options, random }: QueriedTable,
  { consistent, source }: QueryPlan,
): string | undefined {
  const { readReplicas } = options
  if (readReplicas.length === 0 || consistent || source.indexName !== undefined) return undefined
  return [undefined, ...readReplicas][randomInteger(random, 0, readReplicas.length)]
}

function toOutput(plan: QueryPlan, page: GatheredPage): QueryCommandOutput {
  const { input, source } = plan
  const { items, place, isLast, capacity } = page
  const count = items.length
  const asksForCapacity = (input.ReturnConsumedCapacity ?? 'NONE') !== 'NONE'
  return {
    $metadata: page.metadata,
    Count: count,
    ScannedCount: plan.filtered ? scannedCount(plan, page) : count,
    ...(input.Select === 'COUNT' ? {} : { Items: items.map((item) => shownItem(plan, item)) }),
    ...(isLast || place === undefined ? {} : { LastEvaluatedKey: writeCursor(source, place, place.key) }),
    ...(asksForCapacity && capacity !== undefined ? { ConsumedCapacity: capacity } : {}),
  }
}

/** Never above the limit, as in the service. With a limit of one, several shards may each have evaluated an item. */
function scannedCount(
  { limit = Number.POSITIVE_INFINITY }: QueryPlan,
  { items, scanned }: GatheredPage,
): number {
  return Math.max(items.length, Math.min(scanned, limit))
}

function shownItem(
  { presented, indexKey, fetched }: QueryPlan,
  item: Record<string, AttributeValue>,
): Record<string, AttributeValue> {
  const shown = presented(item)
  if (fetched.isWhole) {
    for (const name in indexKey) {
      if (!Object.hasOwn(shown, name)) shown[name] = { ...indexKey[name] } as AttributeValue
    }
  }
  for (const attribute of fetched.hidden) delete shown[attribute]
  return shown
}

function copyFilter(plan: QueryPlan, partitionKey: string): CopyFilter {
  return plan.equalSortKeys?.copyFilter(plan.source, partitionKey) ?? new PlaceCopyFilter(plan.order)
}

/**
 * Queries an index without shards, whose items are already in one order. The cursor is the service's own, with the
 * table's stored key, because it must identify the exact item.
 */
async function plainQuery(
  table: QueriedTable,
  route: PlainRoute,
  reader: ShardReader,
  input: QueryCommandInput,
): Promise<QueryCommandOutput> {
  let attempt = 0
  const output = await reader.send(input, (reasons, index) => {
    attempt += 1
    void table.readHeat.scanThrottled({ attempt, reasons, index })
  })
  if (output.Items === undefined) return output
  await checkStored(table, output.Items)
  return { ...output, Items: output.Items.map((item) => route.presented(table, item)) }
}
