import type { InsightMinute, InsightRule } from '../metrics/insight-rule.js'
import { UniqueCount } from '../metrics/unique-count.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
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
/** Adding up as many contributions takes about ten milliseconds. */
const CONTRIBUTIONS_PER_TURN = 10_000

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

/** The weight of one key. */
interface Contributor {
  readonly key: string
  total: number
  /** That of its heaviest period. */
  largest: number
  /** Its latest period, and the weight in it. */
  period: number
  inPeriod: number
}

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetInsightRuleReport.html */
export function getInsightRuleReport(
  input: unknown,
  { metrics, region, now }: CloudwatchContext,
): Awaitable<object> {
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
  return nowAndOverTurns(reportInSteps(rule, { span, limit, orderBy, asked }))
}

/** What is asked about a rule. */
interface Report {
  readonly span: Span
  readonly limit: number
  readonly orderBy: 'Sum' | 'Maximum'
  readonly asked: ReadonlySet<ReportMetric>
}

type Steps<Result> = Generator<undefined, Result, undefined>

function* reportInSteps(rule: InsightRule, { span, limit, orderBy, asked }: Report): Steps<object> {
  const minutes = rule.minutes(span.from, span.to)
  const turn = new Turn()
  const weight = orderBy === 'Sum' ? 'total' : 'largest'
  const contributors = yield* contributorsOf(minutes, span, turn)
  const shown = contributors.sort((a, b) => b[weight] - a[weight]).slice(0, limit)
  if (contributors.length > CONTRIBUTIONS_PER_TURN) yield
  const keys = shown.map(({ key }) => key)
  const periods = weightsByPeriod(keys, minutes, span)
  return {
    KeyLabels: rule.definition.keys.map((key) => key.name),
    AggregationStatistic: orderBy,
    AggregateValue: minutes.reduce((sum, { total }) => sum + total, 0),
    ApproximateUniqueCount: uniqueCount(minutes),
    Contributors: shown.map((each) =>
      describe(rule, each.key, each[weight], periods.get(each.key) ?? new Map()),
    ),
    MetricDatapoints: asked.size === 0 ? [] : yield* metricPoints(minutes, span, asked, turn),
  }
}

/** The contributions that were added up in this turn of the event loop. */
class Turn {
  #contributions = 0

  /** @returns whether the turn should end. The next one begins then. */
  isOver({ contributors }: InsightMinute): boolean {
    // Merging the counts of different keys takes as long as a few contributions.
    this.#contributions += contributors.length + 4
    if (this.#contributions < CONTRIBUTIONS_PER_TURN) return false
    this.#contributions = 0
    return true
  }
}

function readMetrics(request: RequestReader): readonly ReportMetric[] {
  return request.texts('Metrics').map((name, index) => {
    const path = `Metrics.member.${index + 1}`
    return new RequestReader({ [path]: name }).requiredOneOf(path, METRICS)
  })
}

/** There may be a hundred thousand keys, so each one costs no more than this object. */
function* contributorsOf(minutes: readonly InsightMinute[], span: Span, turn: Turn): Steps<Contributor[]> {
  const byKey = new Map<string, Contributor>()
  for (const minute of minutes) {
    if (turn.isOver(minute)) yield
    const period = periodOf(minute.at, span)
    for (const [key, weight] of minute.contributors) {
      const known = byKey.get(key)
      if (known === undefined) {
        byKey.set(key, { key, total: weight, largest: weight, period, inPeriod: weight })
        continue
      }
      known.total += weight
      known.inPeriod = known.period === period ? known.inPeriod + weight : weight
      known.period = period
      known.largest = Math.max(known.largest, known.inPeriod)
    }
  }
  return [...byKey.values()]
}

/** The weights of some keys by period. */
function weightsByPeriod(
  keys: readonly string[],
  minutes: readonly InsightMinute[],
  span: Span,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const byKey = new Map(keys.map((key) => [key, new Map<number, number>()]))
  for (const { at, contributors } of minutes) {
    const period = periodOf(at, span)
    for (const [key, weight] of contributors) {
      const periods = byKey.get(key)
      periods?.set(period, (periods.get(period) ?? 0) + weight)
    }
  }
  return byKey
}

function describe(rule: InsightRule, key: string, weight: number, periods: ReadonlyMap<number, number>) {
  return {
    Keys: rule.valuesOf(key),
    ApproximateAggregateValue: weight,
    Datapoints: [...periods].map(([at, value]) => ({
      Timestamp: new EpochTime(at),
      ApproximateValue: value,
    })),
  }
}

function* metricPoints(
  minutes: readonly InsightMinute[],
  span: Span,
  asked: ReadonlySet<ReportMetric>,
  turn: Turn,
): Steps<readonly object[]> {
  const periods = new Map<number, InsightMinute[]>()
  for (const minute of minutes) {
    const at = periodOf(minute.at, span)
    const known = periods.get(at)
    if (known === undefined) periods.set(at, [minute])
    else known.push(minute)
  }
  const points: object[] = []
  for (const [at, inPeriod] of periods) {
    const contributors = yield* contributorsOf(inPeriod, span, turn)
    const values = contributors.map(({ total }) => total)
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
    points.push({
      Timestamp: new EpochTime(at),
      ...Object.fromEntries(Object.entries(figures).filter(([name]) => asked.has(name as ReportMetric))),
    })
  }
  return points
}

function uniqueCount(minutes: readonly InsightMinute[]): number {
  const unique = new UniqueCount()
  for (const minute of minutes) unique.merge(minute.unique)
  return unique.estimate
}

function periodOf(time: number, { from, period }: Span): number {
  return time - ((time - from) % period)
}
