import { LevelSeries } from './level-series.js'
import type { MetricSeries } from './metric-series.js'
import { type MetricId, type MetricPoint, type MetricSource, MINUTE } from './metric-source.js'

/**
 * The units that a table or index consumed. A minute without consumption has one sample of zero: AWS documents that
 * averages and sample counts of these metrics exist in periods without activity. That sample is computed when the
 * metric is read. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export class ConsumedSeries implements MetricSource {
  /** The minutes with consumption. */
  readonly recorded: MetricSeries
  readonly #idle: LevelSeries

  constructor(recorded: MetricSeries) {
    this.recorded = recorded
    this.#idle = new LevelSeries(recorded.id, { intervalMilliseconds: MINUTE })
  }

  get id(): MetricId {
    return this.recorded.id
  }

  add(units: number, now: number): void {
    this.recorded.add(units, now)
  }

  /** Sets whether a table or index exists that could consume units. */
  exists(isThere: boolean, now: number): void {
    this.#idle.set(isThere ? 0 : undefined, now)
  }

  lastAt(now: number): number | undefined {
    const recorded = this.recorded.lastAt() ?? Number.NEGATIVE_INFINITY
    const last = Math.max(recorded, this.#idle.lastAt(lastWholeMinute(now)) ?? Number.NEGATIVE_INFINITY)
    return last === Number.NEGATIVE_INFINITY ? undefined : last
  }

  points(from: number, to: number, now: number): readonly MetricPoint[] {
    const recorded = this.recorded.points(from, to)
    const idle = this.#idle.points(from, to, lastWholeMinute(now))
    if (recorded.length === 0) return idle
    const points: MetricPoint[] = []
    let at = 0
    for (const point of recorded) {
      for (let next = idle[at]; next !== undefined && next.at <= point.at; next = idle[++at]) {
        if (next.at < point.at) points.push(next)
      }
      points.push(point)
    }
    for (let next = idle[at]; next !== undefined; next = idle[++at]) points.push(next)
    return points
  }
}

/** The start of the latest minute that is certainly over. */
function lastWholeMinute(now: number): number {
  return now - MINUTE
}
