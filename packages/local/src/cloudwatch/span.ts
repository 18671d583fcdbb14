import { MINUTE } from '../metrics/metric-source.js'
import { invalidCombination, invalidValue } from './cloudwatch-error.js'
import type { RequestReader } from './request-reader.js'
import type { Span } from './statistics.js'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** @throws CloudwatchError unless it is a multiple of a minute, because no metric has a higher resolution. */
export function checkPeriod(seconds: number): number {
  if (seconds > 0 && seconds % 60 === 0) return seconds * 1000
  throw invalidValue('The parameter Period must be a multiple of 60 seconds, and at least 60.')
}

/** The start and end times of a request. @throws CloudwatchError */
export function readTimes(request: RequestReader): { readonly start: number; readonly end: number } {
  const start = request.time('StartTime')
  const end = request.time('EndTime')
  if (start < end) return { start, end }
  throw invalidValue('The parameter StartTime must be less than the parameter EndTime.')
}

/**
 * Rounds the start down to the edge of a period. Older starts are rounded to coarser edges. Source:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStatistics.html (StartTime)
 */
export function alignedSpan(start: number, end: number, period: number, now: number): Span {
  const age = now - start
  const grain = age > 63 * DAY ? HOUR : age > 15 * DAY ? 5 * MINUTE : MINUTE
  const edge = Math.max(grain, period % DAY === 0 ? DAY : period % HOUR === 0 ? HOUR : period)
  return { from: start - (start % edge), to: end, period }
}

/** @throws CloudwatchError when there may be more points than fit in one response. */
export function checkPoints({ from, to, period }: Span, limit: number): void {
  const points = Math.ceil((to - from) / period)
  if (points <= limit) return
  const shown = (count: number) => count.toLocaleString('en-US')
  throw invalidCombination(
    `You have requested up to ${shown(points)} datapoints, which exceeds the limit of ${shown(limit)}. You may reduce the datapoints requested by increasing Period, or decreasing the time range.`,
  )
}
