import type { MetricPoint } from '../metrics/metric-source.js'
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
export function getMetricData(input: unknown, context: CloudwatchContext): object {
  const request = new RequestReader(input)
  const queries = readQueries(request)
  const { start, end } = readTimes(request)
  const isAscending =
    request.oneOf('ScanBy', ['TimestampAscending', 'TimestampDescending']) === 'TimestampAscending'
  const limit = request.optionalInteger('MaxDatapoints') ?? MAX_POINTS
  if (limit < 1 || limit > MAX_POINTS) {
    throw invalidValue(`The parameter MaxDatapoints must be between 1 and ${MAX_POINTS}.`)
  }
  const [firstQuery = 0, firstPoint = 0] = parseToken(request.optionalText('NextToken'))
  const find = metricFinder(context)
  // Points are returned query by query. Queries beyond the page are not evaluated, because they may hold a hundred
  // times as many points.
  let room = limit
  let next: string | undefined
  const results = queries.map((query, index) => {
    if (index < firstQuery) return resultOf(query, [], 'Complete')
    if (room === 0) {
      next ??= printToken(index, 0)
      return resultOf(query, [], 'PartialData')
    }
    const points = pointsOf(query, start, end, context, find)
    if (!isAscending) points.reverse()
    const first = index === firstQuery ? firstPoint : 0
    const shown = points.slice(first, first + room)
    room -= shown.length
    if (first + shown.length >= points.length) return resultOf(query, shown, 'Complete')
    next = printToken(index, first + shown.length)
    return resultOf(query, shown, 'PartialData')
  })
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
