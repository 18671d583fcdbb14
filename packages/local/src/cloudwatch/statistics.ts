import type { MetricPoint, MetricSource } from '../metrics/metric-source.js'
import type { CloudwatchContext } from './metric-query.js'

export const STATISTICS = ['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum'] as const

export type Statistic = (typeof STATISTICS)[number]

/** The time range of a request in milliseconds. Both ends are edges of periods. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly period: number
}

type OpenPoint = { -readonly [Field in keyof MetricPoint]: MetricPoint[Field] }

/** Points by period, oldest first. Periods without points are omitted. */
export function byPeriod(
  source: MetricSource,
  { from, to, period }: Span,
  { metrics, now }: Pick<CloudwatchContext, 'metrics' | 'now'>,
): readonly MetricPoint[] {
  const periods: OpenPoint[] = []
  let open: OpenPoint | undefined
  for (const point of source.points(Math.max(from, metrics.keptSince(now)), to, now)) {
    if (open !== undefined && point.at < open.at + period) add(open, point)
    else {
      open = { ...point, at: point.at - ((point.at - from) % period) }
      periods.push(open)
    }
  }
  return periods
}

export function statisticOf(point: MetricPoint, statistic: Statistic): number {
  switch (statistic) {
    case 'SampleCount':
      return point.count
    case 'Average':
      return point.sum / point.count
    case 'Sum':
      return point.sum
    case 'Minimum':
      return point.minimum
    case 'Maximum':
      return point.maximum
  }
}

function add(open: OpenPoint, point: MetricPoint): void {
  open.count += point.count
  open.sum += point.sum
  open.minimum = Math.min(open.minimum, point.minimum)
  open.maximum = Math.max(open.maximum, point.maximum)
}
