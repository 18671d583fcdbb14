import {
  type CloudWatchClient,
  GetInsightRuleReportCommand,
  GetMetricDataCommand,
  type InsightRuleContributor,
} from '@aws-sdk/client-cloudwatch'
import { keyHeat } from '@isotherm/advisor'
import type { HotReport } from './hot-report.js'
import type { InsightRules, InsightTarget } from './insight-rules.js'

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
  /** When Contributor Insights was turned on, if it was off before: it has not seen what came earlier. */
  readonly since?: number
  readonly signal: AbortSignal
}

/** The hottest keys of the newest minute of which CloudWatch has figures. */
export async function insightReport(client: CloudWatchClient, query: InsightQuery): Promise<HotReport> {
  const { consumed: rule, throttled: throttleRule } = query.rules
  const recent = { from: minuteOf(query.now) - MINUTES_BACK * MINUTE, to: minuteOf(query.now) + MINUTE }
  const seen = await ruleReport(client, rule, query, recent)
  const minute = newestMinute(seen.contributors, query.now)
  // The heaviest keys of the last minutes need not be those of the newest one.
  const span = minute === undefined ? recent : { from: minute, to: minute + MINUTE }
  const consumed = minute === undefined ? seen : await ruleReport(client, rule, query, span)
  const from = Math.max(minute ?? 0, query.since ?? 0)
  const seconds = minute === undefined ? 60 : Math.max(1, Math.min(minute + MINUTE, query.now) - from) / 1_000
  const whole = minute === undefined ? NOTHING : await totalOf(client, query, minute, seconds)
  // The table's figures are those of the whole minute. Their mixture is kept.
  const total = minute === undefined || from === minute ? whole : scaled(whole, consumed.total / seconds)
  const throttles =
    throttleRule === undefined ? [] : (await ruleReport(client, throttleRule, query, span)).contributors
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
    ...(minute === undefined ? {} : { from: new Date(from).toISOString(), seconds }),
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

const NOTHING = { writeUnits: 0, readUnits: 0 }

/** Units in the same mixture, of which 3 times the writes and the reads add up to `weighted`. */
function scaled({ writeUnits, readUnits }: typeof NOTHING, weighted: number): typeof NOTHING {
  const all = 3 * writeUnits + readUnits
  const factor = all === 0 ? 0 : Math.min(1, weighted / all)
  return { writeUnits: writeUnits * factor, readUnits: readUnits * factor }
}

async function ruleReport(
  client: CloudWatchClient,
  rule: string,
  { signal }: InsightQuery,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const {
    Contributors = [],
    KeyLabels = [],
    ApproximateUniqueCount: distinct,
    AggregateValue: total = 0,
  } = await client.send(
    new GetInsightRuleReportCommand({
      RuleName: rule,
      StartTime: new Date(from),
      EndTime: new Date(to),
      Period: 60,
      MaxContributorCount: MAX_CONTRIBUTORS,
    }),
    { abortSignal: signal },
  )
  return { contributors: Contributors, labels: KeyLabels, distinct, total }
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
