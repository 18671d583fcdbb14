import type { MetricPoint, MetricSource } from '../metrics/metric-source.js'
import type { CloudwatchContext } from './metric-query.js'

export const STATISTICS = ['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum'] as const

export type Statistic = (typeof STATISTICS)[number]

/** The time a request asks about, in milliseconds, with both ends at the edge of a period. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly period: number
}

/** Points by period, oldest first; periods without any are not there. */
export function byPeriod(
  source: MetricSource,
  { from, to, period }: Span,
  { metrics, now }: Pick<CloudwatchContext, 'metrics' | 'now'>,
): readonly MetricPoint[] {
  const periods = new Map<number, MetricPoint>()
  for (const point of source.points(Math.max(from, metrics.keptSince(now)), to, now)) {
    const at = point.at - ((point.at - from) % period)
    const before = periods.get(at)
    periods.set(at, before === undefined ? { ...point, at } : merged(before, point))
  }
  return [...periods.values()]
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

function merged(a: MetricPoint, b: MetricPoint): MetricPoint {
  return {
    at: a.at,
    count: a.count + b.count,
    sum: a.sum + b.sum,
    minimum: Math.min(a.minimum, b.minimum),
    maximum: Math.max(a.maximum, b.maximum),
  }
}
