import type { InsightMinute, InsightRule } from '../metrics/insight-rule.js'
import { UniqueCount } from '../metrics/unique-count.js'
import { CloudwatchError, invalidValue } from './cloudwatch-error.js'
import { EpochTime } from './epoch-time.js'
import type { CloudwatchContext } from './metric-query.js'
import { RequestReader } from './request-reader.js'
import { alignedSpan, checkPeriod, checkPoints, readTimes } from './span.js'
import type { Span } from './statistics.js'

/**
 * For DynamoDB's rules:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html
 */
const MAX_CONTRIBUTORS = 25
const DEFAULT_CONTRIBUTORS = 10
const MAX_POINTS = 1440

const METRICS = [
  'UniqueContributors',
  'MaxContributorValue',
  'SampleCount',
  'Sum',
  'Minimum',
  'Maximum',
  'Average',
] as const
type ReportMetric = (typeof METRICS)[number]

/** The weight of one key, in total and by period. */
interface Contributor {
  readonly key: string
  readonly total: number
  readonly largest: number
  readonly periods: ReadonlyMap<number, number>
}

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetInsightRuleReport.html */
export function getInsightRuleReport(input: unknown, { metrics, region, now }: CloudwatchContext): object {
  const request = new RequestReader(input)
  const name = request.text('RuleName')
  const { start, end } = readTimes(request)
  const span = alignedSpan(start, end, checkPeriod(request.integer('Period')), now)
  checkPoints(span, MAX_POINTS)
  const limit = request.optionalInteger('MaxContributorCount') ?? DEFAULT_CONTRIBUTORS
  if (limit < 1 || limit > MAX_CONTRIBUTORS) {
    throw invalidValue(`The parameter MaxContributorCount must be between 1 and ${MAX_CONTRIBUTORS}.`)
  }
  const orderBy = request.oneOf('OrderBy', ['Sum', 'Maximum']) ?? 'Sum'
  const asked = new Set(readMetrics(request))
  const rule = metrics.rules.get(region, name)
  if (rule === undefined) {
    const message = `The rule ${name} does not exist. Its name is in the answer of DescribeContributorInsights.`
    throw new CloudwatchError('ResourceNotFoundException', 'ResourceNotFoundException', message, 404)
  }
  const minutes = rule.minutes(span.from, span.to)
  const weight = orderBy === 'Sum' ? 'total' : 'largest'
  const contributors = contributorsOf(minutes, span).sort((a, b) => b[weight] - a[weight])
  return {
    KeyLabels: rule.definition.keys.map((key) => key.name),
    AggregationStatistic: orderBy === 'Sum' ? 'Sum' : 'Maximum',
    AggregateValue: minutes.reduce((sum, { total }) => sum + total, 0),
    ApproximateUniqueCount: uniqueCount(minutes),
    Contributors: contributors.slice(0, limit).map((contributor) => describe(rule, contributor, weight)),
    MetricDatapoints: asked.size === 0 ? [] : metricPoints(minutes, span, asked),
  }
}

function readMetrics(request: RequestReader): readonly ReportMetric[] {
  return request.texts('Metrics').map((name, index) => {
    const path = `Metrics.member.${index + 1}`
    return new RequestReader({ [path]: name }).requiredOneOf(path, METRICS)
  })
}

function contributorsOf(minutes: readonly InsightMinute[], span: Span): Contributor[] {
  const byKey = new Map<string, Map<number, number>>()
  for (const { at, contributors } of minutes) {
    for (const [key, weight] of contributors) {
      const periods = byKey.get(key) ?? new Map<number, number>()
      byKey.set(key, periods)
      const period = periodOf(at, span)
      periods.set(period, (periods.get(period) ?? 0) + weight)
    }
  }
  return [...byKey].map(([key, periods]) => {
    const values = [...periods.values()]
    const total = values.reduce((sum, value) => sum + value, 0)
    return { key, total, largest: values.reduce((most, value) => Math.max(most, value), 0), periods }
  })
}

function describe(rule: InsightRule, contributor: Contributor, weight: 'total' | 'largest'): object {
  return {
    Keys: rule.valuesOf(contributor.key),
    ApproximateAggregateValue: contributor[weight],
    Datapoints: [...contributor.periods].map(([at, value]) => ({
      Timestamp: new EpochTime(at),
      ApproximateValue: value,
    })),
  }
}

function metricPoints(
  minutes: readonly InsightMinute[],
  span: Span,
  asked: ReadonlySet<ReportMetric>,
): readonly object[] {
  const periods = new Map<number, InsightMinute[]>()
  for (const minute of minutes) {
    const at = periodOf(minute.at, span)
    periods.set(at, [...(periods.get(at) ?? []), minute])
  }
  return [...periods].map(([at, inPeriod]) => {
    const values = contributorsOf(inPeriod, span).map(({ total }) => total)
    const sum = inPeriod.reduce((all, { total }) => all + total, 0)
    const largest = values.reduce((most, value) => Math.max(most, value), 0)
    const figures: Record<ReportMetric, number> = {
      UniqueContributors: uniqueCount(inPeriod),
      MaxContributorValue: largest,
      SampleCount: inPeriod.length,
      Sum: sum,
      Minimum: values.reduce((least, value) => Math.min(least, value), largest),
      Maximum: largest,
      Average: sum / inPeriod.length,
    }
    return {
      Timestamp: new EpochTime(at),
      ...Object.fromEntries(Object.entries(figures).filter(([name]) => asked.has(name as ReportMetric))),
    }
  })
}

function uniqueCount(minutes: readonly InsightMinute[]): number {
  const unique = new UniqueCount()
  for (const minute of minutes) unique.merge(minute.unique)
  return unique.estimate
}

function periodOf(time: number, { from, period }: Span): number {
  return time - ((time - from) % period)
}
