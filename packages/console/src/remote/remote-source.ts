import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { HeatKeyspace, HeatRequest, HeatSpan } from '@isotherm/local'
import type { Clock } from '@isotherm/runtime'
import type { ProcessHeat } from '../api/process-heat.js'
import { type InsightRules, insightRules } from '../insights/insight-rules.js'
import type { ConsoleSource, TableRates } from '../source/console-source.js'
import { readShardMap } from '../source/read-shard-map.js'
import { SHARD_MAP, withShardMaps } from '../source/shard-maps.js'
import { SourceError } from '../source/source-error.js'
import { KeptAnswers } from './kept-answers.js'
import { keySums } from './key-sums.js'
import { MAX_METRICS, type MetricSpan, metricSums, type WantedMetric } from './metric-sums.js'
import { Reachability } from './reachability.js'
import { asked, isUnreachable } from './remote-failure.js'
import { mapMetrics, remoteFrames } from './remote-frames.js'
import { MAX_TABLES, RemoteTables } from './remote-tables.js'

/** What the console needs of an endpoint that it does not run itself. */
export interface RemoteSourceOptions {
  readonly client: DynamoDBClient
  readonly cloudWatch: CloudWatchClient
  readonly clock: Clock
  readonly region: string
  /** The endpoint, as people know it. */
  readonly endpoint: string
  /** Whether items and tables may be changed through the console. */
  readonly allowsWrites: boolean
  /** The process of the library that the console is part of, and its own hottest keys. */
  readonly process?: {
    readonly name: string
    /** Tables whose items have logical keys at this endpoint. */
    readonly tables: readonly string[]
    readonly heat: (keyspace: HeatKeyspace) => Pick<ProcessHeat, 'writes' | 'reads'>
  }
  /** How often to look whether the endpoint still answers. The default is once a minute. */
  readonly checkSeconds?: number
  /** Only these tables. All of the account without any, which needs the permission `dynamodb:ListTables`. */
  readonly tables?: readonly string[]
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** CloudWatch keeps minutes for 15 days, and 5 minutes for 63. */
const MINUTES_KEPT = 15 * 24 * 60 * MINUTE
/** Each look is a request in the log of an account. */
const CHECK_SECONDS = 60
/** The list of tables asks for four metrics of each. */
const LIST_MINUTES = 5
const LISTED = ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits'] as const
const LISTED_THROTTLES = ['WriteThrottleEvents', 'ReadThrottleEvents'] as const

const LIMIT = { writes: 1_000, reads: 3_000 }

const LATE = 'From CloudWatch: averages of minutes, which arrive one to three minutes late.'
const AN_ESTIMATE =
  'Keys: the 25 with the most traffic, from Contributor Insights. Their reads and writes are estimated from the mixture of the table.'

/**
 * The figures that an endpoint publishes about itself: tables, CloudWatch metrics, keys where Contributor Insights is on,
 * and shard maps. Each question is asked at most once a minute, however many pages are open, or sooner after a failure.
 */
export function remoteSource(options: RemoteSourceOptions): ConsoleSource {
  const { client, cloudWatch, clock, region, endpoint, allowsWrites, process } = options
  const isLost = (error: unknown) => {
    const isNotReached = error instanceof SourceError && isUnreachable(error.cause)
    if (isNotReached) reachability.suspect()
    return isNotReached
  }
  const kept = new KeptAnswers(clock, { isLost })
  const tables = new RemoteTables(client, clock, options.tables ?? [], isLost)
  const reachability = new Reachability({
    ask: (signal) => tables.look(signal),
    clock,
    checkMilliseconds: (options.checkSeconds ?? CHECK_SECONDS) * SECOND,
    onReturn() {
      kept.forgetFailures()
      tables.forgetFailures()
    },
  })
  const rulesOf = ({ table, index }: HeatKeyspace): Promise<InsightRules | undefined> => {
    const target = { table, ...(index === undefined ? {} : { index }) }
    const ask = () =>
      asked(
        'dynamodb:DescribeContributorInsights',
        insightRules(client, target, new AbortController().signal),
      )
    return kept.get(`rules ${JSON.stringify(target)}`, LIST_MINUTES * MINUTE, ask)
  }
  const readHeat = async (keyspace: HeatKeyspace, span: MetricSpan): Promise<HeatSpan> => {
    const rules = await rulesOf(keyspace).catch(() => undefined)
    const metrics = asked('cloudwatch:GetMetricData', metricSums(cloudWatch, mapMetrics(keyspace), span))
    const keys = rules === undefined ? [] : keySums(cloudWatch, rules, span).catch(() => [])
    return remoteFrames(await metrics, await keys, span, { place: keyspace, limit: LIMIT })
  }
  return {
    now: () => clock.now(),
    limit: LIMIT,
    offers: {
      endpoint,
      resolutionSeconds: 60,
      noPartitions: `${endpoint} does not say how its tables are divided into partitions. Nobody outside of the service knows it. An isotherm local endpoint shows them.`,
      ...(allowsWrites
        ? {}
        : {
            readOnly: 'This console only reads. To change items and tables, start it with --allow-writes.',
          }),
      ...(process === undefined ? {} : { process: process.name, joinedTables: process.tables }),
    },
    ...(process === undefined ? {} : { processHeat: process.heat }),
    outage() {
      const since = reachability.lostSince()
      return since === undefined ? undefined : { endpoint, since }
    },
    async tables() {
      const described = await tables.described()
      return withShardMaps(
        described.map(([name, { GlobalSecondaryIndexes = [] }]) => ({
          region,
          name,
          globalIndexes: GlobalSecondaryIndexes.map(({ IndexName = '' }) => IndexName),
        })),
      )
    },
    latest: () =>
      kept.get('latest', LIST_MINUTES * MINUTE, async () =>
        asked('cloudwatch:GetMetricData', latestRates(cloudWatch, await tables.names(), clock.now())),
      ),
    heat(keyspace, request) {
      const span = minutesOf(request, clock.now())
      const { from, to, seconds } = span
      if (to <= from) return Promise.resolve({ ...span, columns: [] })
      const question = JSON.stringify(['heat', keyspace.table, keyspace.index, from, to, seconds])
      return kept.get(question, MINUTE, () => readHeat(keyspace, span))
    },
    partitions: async () => [],
    describe: (_region, table) => tables.describe(table),
    shardMap: (_region, table) =>
      kept.get(`shard map ${table}`, MINUTE, () => readShardMap(client, `${table}${SHARD_MAP}`), MINUTE),
    async notes(keyspace) {
      const name = keyspace.index ?? keyspace.table
      const keys = await rulesOf(keyspace).then(
        (rules) =>
          rules === undefined
            ? `No keys: Contributor Insights is off for ${name}. Turn it on in DynamoDB, or for a time with: isotherm hot --table ${keyspace.table} --enable. It costs by the event.`
            : AN_ESTIMATE,
        (error: unknown) => `No keys: ${error instanceof Error ? error.message : String(error)}`,
      )
      const names = await tables.names()
      const more = names.length < MAX_TABLES ? [] : [`Only the first ${MAX_TABLES} tables are listed.`]
      return [LATE, keys, ...more]
    },
  }
}

/** Whole columns of whole minutes that are over. */
function minutesOf({ from, to, columns }: HeatRequest, now: number): MetricSpan {
  const least = from < now - MINUTES_KEPT ? 5 * MINUTE : MINUTE
  const width = least * Math.max(1, Math.ceil((to - from) / least / Math.max(1, columns)))
  // The current minute would look like the end of all traffic.
  const over = Math.floor(now / MINUTE) * MINUTE
  return {
    from: Math.floor(from / width) * width,
    to: Math.min(Math.ceil(to / width) * width, Math.ceil(over / width) * width),
    seconds: width / SECOND,
  }
}

/** The newest minute of each table that has a figure, in units and requests a second. */
async function latestRates(
  cloudWatch: CloudWatchClient,
  names: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, TableRates>> {
  const to = Math.floor(now / MINUTE) * MINUTE
  const span = { from: to - LIST_MINUTES * MINUTE, to, seconds: 60 }
  const metrics = names.flatMap((table, at) =>
    [...LISTED, ...LISTED_THROTTLES].map(
      (name): WantedMetric => ({ id: `t${at}${name}`, name, table, index: undefined }),
    ),
  )
  const sums = new Map<string, ReadonlyMap<number, number>>()
  for (let at = 0; at < metrics.length; at += MAX_METRICS) {
    for (const [id, sum] of await metricSums(cloudWatch, metrics.slice(at, at + MAX_METRICS), span)) {
      sums.set(id, sum)
    }
  }
  return new Map(
    names.map((table, at) => {
      const of = (name: string) => sums.get(`t${at}${name}`) ?? new Map<number, number>()
      const newest = Math.max(...LISTED.flatMap((name) => [...of(name).keys()]))
      const rate = (name: string) => Math.round(((of(name).get(newest) ?? 0) / 60) * 10) / 10
      const [writes, reads] = LISTED.map(rate) as [number, number]
      const throttles = LISTED_THROTTLES.reduce((sum, name) => sum + rate(name), 0)
      return [table, { writes, reads, throttles, peak: undefined }]
    }),
  )
}
