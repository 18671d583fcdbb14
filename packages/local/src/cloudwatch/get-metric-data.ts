import { type MetricPoint, MINUTE } from '../metrics/metric-source.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { invalidCombination, invalidValue } from './cloudwatch-error.js'
import { EpochTime } from './epoch-time.js'
import {
  type CloudwatchContext,
  type FindMetric,
  type MetricQuery,
  metricFinder,
  readMetricQuery,
} from './metric-query.js'
import { unitOf } from './metric-unit.js'
import { parseToken, printToken } from './page-token.js'
import { RequestReader } from './request-reader.js'
import { alignedSpan, checkPeriod, readTimes } from './span.js'
import { byPeriod, STATISTICS, type Statistic, statisticOf } from './statistics.js'

const MAX_QUERIES = 500
const MAX_POINTS = 100_800
/** Adding up as many minutes takes about ten milliseconds. */
const MINUTES_PER_TURN = 100_000
const ID = /^[a-z][a-zA-Z0-9_]{0,254}$/

interface DataQuery {
  readonly id: string
  readonly label: string
  readonly query: MetricQuery
  readonly period: number
  readonly statistic: Statistic
  readonly unit: string | undefined
}

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
export function getMetricData(input: unknown, context: CloudwatchContext): Awaitable<object> {
  const request = new RequestReader(input)
  const queries = readQueries(request)
  const { start, end } = readTimes(request)
  const isAscending =
    request.oneOf('ScanBy', ['TimestampAscending', 'TimestampDescending']) === 'TimestampAscending'
  const limit = request.optionalInteger('MaxDatapoints') ?? MAX_POINTS
  if (limit < 1 || limit > MAX_POINTS) {
    throw invalidValue(`The parameter MaxDatapoints must be between 1 and ${MAX_POINTS}.`)
  }
  const first = parseToken(request.optionalText('NextToken'))
  return nowAndOverTurns(pageInSteps(queries, { start, end, isAscending, limit, first }, context))
}

/** The part of the points that a request asks for. */
interface Page {
  readonly start: number
  readonly end: number
  readonly isAscending: boolean
  readonly limit: number
  /** The first query of the page, and its first point. */
  readonly first: readonly number[]
}

/**
 * Points are returned query by query. Queries beyond the page are not evaluated, because they may hold a hundred times as
 * many points.
 */
function* pageInSteps(
  queries: readonly DataQuery[],
  { start, end, isAscending, limit, first: [firstQuery = 0, firstPoint = 0] }: Page,
  context: CloudwatchContext,
): Generator<undefined, object, undefined> {
  const find = metricFinder(context)
  const minutes =
    (Math.min(end, context.now) - Math.max(start, context.metrics.keptSince(context.now))) / MINUTE
  const results: object[] = []
  let room = limit
  let next: string | undefined
  let minutesRead = 0
  for (const [index, query] of queries.entries()) {
    if (index < firstQuery) {
      results.push(resultOf(query, [], 'Complete'))
      continue
    }
    if (room === 0) {
      next ??= printToken(index, 0)
      results.push(resultOf(query, [], 'PartialData'))
      continue
    }
    if (minutesRead > MINUTES_PER_TURN) {
      yield
      minutesRead = 0
    }
    minutesRead += Math.max(0, minutes)
    const points = pointsOf(query, start, end, context, find)
    if (!isAscending) points.reverse()
    const first = index === firstQuery ? firstPoint : 0
    const shown = points.slice(first, first + room)
    room -= shown.length
    const isComplete = first + shown.length >= points.length
    if (!isComplete) next = printToken(index, first + shown.length)
    results.push(resultOf(query, shown, isComplete ? 'Complete' : 'PartialData'))
  }
  return {
    MetricDataResults: results,
    Messages: [],
    ...(next === undefined ? {} : { NextToken: next }),
  }
}

function resultOf(query: DataQuery, points: readonly MetricPoint[], status: 'Complete' | 'PartialData') {
  return {
    Id: query.id,
    Label: query.label,
    Timestamps: points.map(({ at }) => new EpochTime(at)),
    Values: points.map((point) => statisticOf(point, query.statistic)),
    StatusCode: status,
  }
}

function pointsOf(
  { query, period, unit }: DataQuery,
  start: number,
  end: number,
  context: CloudwatchContext,
  find: FindMetric,
): MetricPoint[] {
  if (unit !== undefined && unit !== unitOf(query.name)) return []
  const source = find(query)
  if (source === undefined) return []
  return [...byPeriod(source, alignedSpan(start, end, period, context.now), context)]
}

/** @throws CloudwatchError */
function readQueries(request: RequestReader): readonly DataQuery[] {
  const all = request.structures('MetricDataQueries')
  if (all.length === 0 || all.length > MAX_QUERIES) {
    throw invalidValue(`The parameter MetricDataQueries must have 1 to ${MAX_QUERIES} members.`)
  }
  const ids = new Set(all.map((query) => query.text('Id')))
  if (ids.size < all.length) throw invalidValue('The Ids of MetricDataQueries must differ from each other.')
  return all.filter((query) => query.boolean('ReturnData') ?? true).map(readQuery)
}

function readQuery(request: RequestReader): DataQuery {
  const id = request.text('Id')
  if (!ID.test(id)) {
    throw invalidValue(
      `The Id ${id} must begin with a lower-case letter and hold letters, digits and underscores only.`,
    )
  }
  const stat = request.structure('MetricStat')
  if (request.has('Expression')) {
    if (stat !== undefined) {
      throw invalidCombination(`The query ${id} must have either Expression or MetricStat, not both.`)
    }
    throw invalidValue(
      `The query ${id} has an Expression, and metric math is not supported by this engine; ask for its metrics with MetricStat and compute from them.`,
    )
  }
  const metric = stat?.structure('Metric')
  if (stat === undefined || metric === undefined) {
    throw invalidCombination(`The query ${id} must have a MetricStat with a Metric.`)
  }
  const query = readMetricQuery(metric)
  return {
    id,
    label: request.optionalText('Label') ?? query.name,
    query,
    period: checkPeriod(stat.integer('Period')),
    statistic: stat.requiredOneOf('Stat', STATISTICS),
    unit: stat.optionalText('Unit'),
  }
}
