import type { AttributeValue, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { ShardReader } from '../src/attempts/shard-reader.js'
import type { KnownIndex } from '../src/indexes/index-options.js'
import { routeOfIndex } from '../src/indexes/index-route.js'
import type { TableWithIndexes } from '../src/indexes/table-with-indexes.js'
import { Suffix } from '../src/keys/suffix.js'
import { MeanItemBytes } from '../src/queries/mean-item-bytes.js'
import type { Position } from '../src/queries/position.js'
import type { QueriedTable } from '../src/queries/queried-table.js'
import { planQuery, type QueryPlan } from '../src/queries/query-plan.js'
import { routeOf, type ScatteredRoute } from '../src/queries/query-route.js'
import type { ShardRest } from '../src/queries/shard-query.js'
import { ShardStream } from '../src/queries/shard-stream.js'
import type { ReadHeat } from '../src/scaling/read-heat.js'

type StoredItem = Record<string, AttributeValue>

/** The table `log`, of which the key `k` is queried. */
export interface StreamedTable {
  /** Default `random`. */
  readonly suffix?: 'random' | 'calculated'
  /** Default `at`. */
  readonly sortKey?: string | undefined
  readonly indexes?: readonly KnownIndex[]
}

/** One shard of a query, and the responses of the service, one after the other. */
export interface OpenedStream extends StreamedTable {
  readonly input?: Partial<QueryCommandInput>
  /** Default 1. */
  readonly shard?: number
  /** Default 4. */
  readonly lastShard?: number
  /** Default 0. */
  readonly stage?: number
  readonly after?: Position
  /** Default: the whole range. */
  readonly restOf?: (plan: QueryPlan) => ShardRest | undefined
  readonly answers?: readonly Partial<QueryCommandOutput>[]
  /** The reasons of the throttled attempts of each request, and the index that throttled. */
  readonly throttles?: readonly { readonly reasons: readonly string[]; readonly index: string | undefined }[]
  /** Whether the table or index itself answers, and not a replica. Default true. */
  readonly isAtSource?: boolean
}

type Answered = Parameters<ReadHeat['answered']>
type Throttled = Parameters<ReadHeat['throttled']>[0]

export function tableOf({ suffix = 'random', indexes = [], ...keys }: StreamedTable = {}) {
  const sortKey = 'sortKey' in keys ? keys.sortKey : 'at'
  const answered: Answered[] = []
  const throttled: Throttled[] = []
  const owner = {
    options: {
      name: 'log',
      partitionKey: 'pk',
      sortKey,
      suffix,
      delimiter: '_',
      itemsMayMove: true,
      readReplicas: [],
    },
    suffix: new Suffix('log', '_', false),
    placementKind: suffix,
    meanItemBytes: new MeanItemBytes(),
    readHeat: {
      answered: (...read: Answered) => answered.push(read),
      throttled: async (read: Throttled) => throttled.push(read),
    },
    indexes: new Map(indexes.map((index) => [index.name, index])),
    indexCounts: new Map(),
    indexChecks: new Map(),
  }
  const routeOfItsIndex = (input: QueryCommandInput, index: string) =>
    routeOfIndex(owner as unknown as TableWithIndexes, input, index)
  const table = { ...owner, routeOfIndex: routeOfItsIndex } as unknown as QueriedTable
  return { table, answered, throttled }
}

export function planOf(table: QueriedTable, more: Partial<QueryCommandInput> = {}): QueryPlan {
  const { ExpressionAttributeValues, ...rest } = more
  const input: QueryCommandInput = {
    TableName: 'log',
    KeyConditionExpression: 'pk = :k',
    ExpressionAttributeValues: { ':k': { S: 'k' }, ...ExpressionAttributeValues },
    ...rest,
  }
  return planQuery(table, routeOf(table, input) as ScatteredRoute, input)
}

/** A stream over scripted responses, the requests that it sends, and what it records of the table's reads. */
export function openedStream({
  input,
  shard = 1,
  lastShard = 4,
  stage = 0,
  after,
  restOf = ({ range }) => ({ range, startKey: undefined }),
  answers = [],
  throttles = [],
  isAtSource = true,
  ...shape
}: OpenedStream = {}) {
  const { table, answered, throttled } = tableOf(shape)
  const plan = planOf(table, input)
  const requests: QueryCommandInput[] = []
  const send: ShardReader['send'] = async (request, onThrottle) => {
    for (const { reasons, index } of throttles) onThrottle(reasons, index)
    const answer = answers[requests.length] ?? {}
    requests.push(request)
    return { $metadata: {}, ...answer }
  }
  const rest = restOf(plan)
  if (rest === undefined) throw new Error('The shard has no remaining items.')
  const reader = { isAtSource, send } as ShardReader
  const stream = new ShardStream({ table, plan, reader, shard, lastShard, rest, stage, after })
  return { stream, requests, table, plan, answered, throttled }
}

/** A stored item of the key `k`. */
export function storedItem(shard: number, at: number, more: StoredItem = {}): StoredItem {
  return { ...storedKey(shard, at), ...more }
}

export function storedKey(shard: number, at: number): StoredItem {
  return { pk: { S: `k_${shard}` }, at: { N: String(at) } }
}

export function positionOf(at: number, shard: number): Position {
  return { sort: { N: String(at) }, shard }
}
