import { MetricSeries } from './metric-series.js'
import { type MetricId, MINUTE } from './metric-source.js'
import type { MetricsParameters } from './metrics-parameters.js'

/** The share of all points removed at once, so that removal is rare. */
const ROOM = 0.1

/** The series of all metrics that have points, with common limits. */
export class MetricStore {
  readonly #parameters: MetricsParameters
  readonly #series = new Map<string, MetricSeries>()
  #points = 0

  constructor(parameters: MetricsParameters) {
    this.#parameters = parameters
  }

  get points(): number {
    return this.#points
  }

  get all(): Iterable<MetricSeries> {
    return this.#series.values()
  }

  /** The existing series of that metric, or a new one. A new series counts from its first point on. */
  series(id: MetricId): MetricSeries {
    return this.#series.get(keyOf(id)) ?? new MetricSeries(id, this.#onPoint)
  }

  readonly #onPoint = (series: MetricSeries, now: number): void => {
    const key = keyOf(series.id)
    if (this.#series.get(key) !== series) {
      if (this.#series.size >= this.#parameters.maxSeries) this.#dropMostSilent()
      this.#series.set(key, series)
    }
    this.#points += 1 - series.forgetBefore(now - this.#parameters.retentionMilliseconds)
    if (this.#points > this.#parameters.maxPoints) this.#makeRoom()
  }

  #dropMostSilent(): void {
    let dropped: MetricSeries | undefined
    for (const series of this.#series.values()) {
      if (dropped === undefined || (series.lastAt() ?? 0) < (dropped.lastAt() ?? 0)) dropped = series
    }
    if (dropped === undefined) return
    this.#points -= dropped.forgetBefore(Number.POSITIVE_INFINITY)
    this.#series.delete(keyOf(dropped.id))
  }

  #makeRoom(): void {
    const times: number[] = []
    for (const series of this.#series.values()) {
      for (const { at } of series.points(0, Number.POSITIVE_INFINITY)) times.push(at)
    }
    times.sort((a, b) => a - b)
    const horizon = (times[Math.floor(times.length * ROOM)] ?? 0) + MINUTE
    for (const [key, series] of this.#series) {
      this.#points -= series.forgetBefore(horizon)
      if (series.length === 0) this.#series.delete(key)
    }
  }
}

function keyOf({ region, name, dimensions }: MetricId): string {
  const { TableName, GlobalSecondaryIndexName, Operation, StreamLabel } = dimensions
  // None of these can contain a slash.
  return [region, name, TableName, GlobalSecondaryIndexName, Operation, StreamLabel].join('/')
}
