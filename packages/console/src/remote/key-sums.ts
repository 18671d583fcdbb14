import { createHash } from 'node:crypto'
import { type CloudWatchClient, GetInsightRuleReportCommand } from '@aws-sdk/client-cloudwatch'
import type { HeatKey } from '@isotherm/local'
import type { InsightRules } from '../insights/insight-rules.js'
import type { MetricSpan } from './metric-sums.js'

/** A rule of DynamoDB reports no more keys. */
const MAX_CONTRIBUTORS = 25
/** What one report may have. */
const MAX_POINTS = 1_440

/** A key, its weighted units (3 for a write unit, 1 for a read unit) and throttled requests by the beginning of each period. */
export interface KeySums {
  readonly key: HeatKey
  readonly weighted: ReadonlyMap<number, number>
  readonly throttled: ReadonlyMap<number, number>
}

/** The keys with the most traffic in a span, as Contributor Insights counted them. */
export async function keySums(
  client: CloudWatchClient,
  { consumed, throttled }: InsightRules,
  span: MetricSpan,
): Promise<readonly KeySums[]> {
  const [units, throttles] = await Promise.all([
    reported(client, consumed, span),
    throttled === undefined ? new Map<string, Map<number, number>>() : reported(client, throttled, span),
  ])
  return [...new Set([...units.keys(), ...throttles.keys()])].map((name) => ({
    key: heatKey(name),
    weighted: units.get(name) ?? new Map(),
    throttled: throttles.get(name) ?? new Map(),
  }))
}

async function reported(client: CloudWatchClient, RuleName: string, { from, to, seconds }: MetricSpan) {
  const { Contributors = [] } = await client.send(
    new GetInsightRuleReportCommand({
      RuleName,
      StartTime: new Date(Math.max(from, to - MAX_POINTS * seconds * 1_000)),
      EndTime: new Date(to),
      Period: seconds,
      MaxContributorCount: MAX_CONTRIBUTORS,
    }),
  )
  return new Map(
    Contributors.map(({ Keys = [], Datapoints = [] }) => {
      const points = Datapoints.map(
        ({ Timestamp, ApproximateValue = 0 }) => [Timestamp?.getTime() ?? 0, ApproximateValue] as const,
      )
      return [Keys.join(' '), new Map(points)]
    }),
  )
}

/** The place of a key among partitions is not known outside of the service. This one keeps rows in one order. */
function heatKey(name: string): HeatKey {
  const hash = createHash('md5').update(name).digest('hex').slice(0, 16)
  return { hash, values: [name], isCut: false }
}
