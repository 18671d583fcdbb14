import { type MetricId, type MetricPoint, type MetricSource, MINUTE, minuteOf } from './metric-source.js'

type OpenPoint = { -readonly [Field in keyof MetricPoint]: MetricPoint[Field] }

/** Called when a series gets another point, to keep all series together within their limits. */
type OnPoint = (series: MetricSeries, now: number) => void

/** Measured values, minute by minute. Adding one costs a few comparisons, because every request does it. */
export class MetricSeries implements MetricSource {
  readonly id: MetricId
  readonly #onPoint: OnPoint
  /** Ordered by minute, oldest first. */
  readonly #points: OpenPoint[] = []
  #current: OpenPoint = { at: Number.NEGATIVE_INFINITY, count: 0, sum: 0, minimum: 0, maximum: 0 }

  constructor(id: MetricId, onPoint: OnPoint) {
    this.id = id
    this.#onPoint = onPoint
  }

  get length(): number {
    return this.#points.length
  }

  /** Adds one sample. A late sample, such as that of an index that was behind, is added to its own minute. */
  add(value: number, now: number): void {
    let point = this.#current
    if (now < point.at || now >= point.at + MINUTE) point = this.#pointAt(minuteOf(now))
    if (point.count === 0 || value < point.minimum) point.minimum = value
    if (point.count === 0 || value > point.maximum) point.maximum = value
    point.count++
    point.sum += value
  }

  lastAt(): number | undefined {
    return this.#points.at(-1)?.at
  }

  points(from: number, to: number): readonly MetricPoint[] {
    return this.#points.filter(({ at }) => at >= from && at < to)
  }

  /** @returns the number of points removed. */
  forgetBefore(time: number): number {
    const first = this.#points.findIndex(({ at }) => at >= time)
    const count = first === -1 ? this.#points.length : first
    if (count > 0) this.#points.splice(0, count)
    // A removed point must not receive further samples.
    if (this.#points.length === 0) this.#current = { ...this.#current, at: Number.NEGATIVE_INFINITY }
    return count
  }

  #pointAt(minute: number): OpenPoint {
    let index = this.#points.length
    let earlier = this.#points[index - 1]
    while (earlier !== undefined && earlier.at > minute) earlier = this.#points[--index - 1]
    if (earlier?.at === minute) return earlier
    const point = { at: minute, count: 0, sum: 0, minimum: 0, maximum: 0 }
    this.#points.splice(index, 0, point)
    if (index === this.#points.length - 1) this.#current = point
    this.#onPoint(this, minute)
    return point
  }
}
