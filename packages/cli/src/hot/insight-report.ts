import {
  type CloudWatchClient,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  type InsightRuleContributor,
} from '@aws-sdk/client-cloudwatch'
import { keyHeat } from '@isotherm/advisor'
import type { InsightRules, InsightTarget } from './contributor-insights.js'
import type { HotReport } from './hot-report.js'

const MINUTE = 60_000
/** CloudWatch has a minute one to three minutes after its end. */
const MINUTES_BACK = 5
/** DynamoDB's rules report no more. */
const MAX_CONTRIBUTORS = 25
/** A minute that has only begun says little. */
const MIN_SECONDS = 5

/** What is asked of CloudWatch. */
export interface InsightQuery extends InsightTarget {
  readonly rules: InsightRules
  readonly top: number
  readonly now: number
  readonly signal: AbortSignal
}

/** The hottest keys of the newest minute of which CloudWatch has figures. */
export async function insightReport(client: CloudWatchClient, query: InsightQuery): Promise<HotReport> {
  const consumed = await ruleReport(client, query.rules.consumed, query)
  const minute = newestMinute(consumed.contributors, query.now)
  const seconds = minute === undefined ? 60 : Math.min(60, Math.max(1, (query.now - minute) / 1_000))
  const total =
    minute === undefined ? { writeUnits: 0, readUnits: 0 } : await totalOf(client, query, minute, seconds)
  const throttles =
    query.rules.throttled === undefined
      ? []
      : (await ruleReport(client, query.rules.throttled, query)).contributors
  const throttled = new Map(
    throttles.map((contributor) => [nameOf(contributor), valueAt(contributor, minute) / seconds]),
  )
  const weights = consumed.contributors
    .map((contributor) => ({ key: nameOf(contributor), weighted: valueAt(contributor, minute) / seconds }))
    .filter(({ weighted }) => weighted > 0)
    .sort((a, b) => b.weighted - a.weighted)
  const listed = weights.reduce((sum, { weighted }) => sum + weighted, 0)
  const all = Math.max(3 * total.writeUnits + total.readUnits, listed)
  const last = weights.length < MAX_CONTRIBUTORS ? 0 : (weights.at(-1)?.weighted ?? 0)
  const share = (weighted: number) => (all === 0 ? 0 : weighted / all)
  const shown = weights.slice(0, query.top)
  const { table, index } = query
  return {
    table,
    ...(index === undefined ? {} : { index }),
    source: 'insights',
    attributes: consumed.labels,
    ...(minute === undefined ? {} : { from: new Date(minute).toISOString(), seconds }),
    total,
    ...(consumed.distinct === undefined ? {} : { distinctKeys: consumed.distinct }),
    keys: shown.map(({ key, weighted }) => ({
      key,
      share: { value: share(weighted), atLeast: share(weighted), atMost: share(weighted) },
      ...keyHeat(weighted, total),
      ...(throttled.has(key) ? { throttled: throttled.get(key) ?? 0 } : {}),
    })),
    unlistedAtMost: share(weights[query.top]?.weighted ?? last),
  }
}

async function ruleReport(client: CloudWatchClient, rule: string, { now, signal }: InsightQuery) {
  const {
    Contributors = [],
    KeyLabels = [],
    ApproximateUniqueCount: distinct,
  } = await client.send(
    new GetInsightRuleReportCommand({
      RuleName: rule,
      StartTime: new Date(minuteOf(now) - MINUTES_BACK * MINUTE),
      EndTime: new Date(minuteOf(now) + MINUTE),
      Period: 60,
      MaxContributorCount: MAX_CONTRIBUTORS,
    }),
    { abortSignal: signal },
  )
  return { contributors: Contributors, labels: KeyLabels, distinct }
}

/** The newest minute with figures, unless it has only begun. */
function newestMinute(contributors: readonly InsightRuleContributor[], now: number): number | undefined {
  const minutes = new Set(
    contributors.flatMap(({ Datapoints = [] }) =>
      Datapoints.flatMap(({ Timestamp }) => Timestamp?.getTime() ?? []),
    ),
  )
  const newestFirst = [...minutes].sort((a, b) => b - a)
  return newestFirst.find((minute) => now - minute >= MIN_SECONDS * 1_000) ?? newestFirst[0]
}

async function totalOf(
  client: CloudWatchClient,
  { table, index, signal }: InsightQuery,
  minute: number,
  seconds: number,
): Promise<{ readonly writeUnits: number; readonly readUnits: number }> {
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(minute),
      EndTime: new Date(minute + MINUTE),
      MetricDataQueries: (['Write', 'Read'] as const).map((kind) => ({
        Id: kind.toLowerCase(),
        MetricStat: {
          Metric: {
            Namespace: 'AWS/DynamoDB',
            MetricName: `Consumed${kind}CapacityUnits`,
            Dimensions: [
              { Name: 'TableName', Value: table },
              ...(index === undefined ? [] : [{ Name: 'GlobalSecondaryIndexName', Value: index }]),
            ],
          },
          Period: 60,
          Stat: 'Sum',
        },
      })),
    }),
    { abortSignal: signal },
  )
  const sum = (id: string) => {
    const values = MetricDataResults.find(({ Id }) => Id === id)?.Values ?? []
    return values.reduce((total, value) => total + value, 0) / seconds
  }
  return { writeUnits: sum('write'), readUnits: sum('read') }
}

function valueAt({ Datapoints = [] }: InsightRuleContributor, minute: number | undefined): number {
  return Datapoints.find(({ Timestamp }) => Timestamp?.getTime() === minute)?.ApproximateValue ?? 0
}

function nameOf({ Keys = [] }: InsightRuleContributor): string {
  return Keys.join(' ')
}

function minuteOf(now: number): number {
  return now - (now % MINUTE)
}
