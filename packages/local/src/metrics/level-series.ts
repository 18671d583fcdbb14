import type { MetricId, MetricPoint, MetricSource } from './metric-source.js'

/**
 * How often levels are published.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const INTERVAL = 5 * 60_000

/** The number of changes remembered for one level. The service accepts at most 27 decreases per day. */
const MAX_STEPS = 200

interface Step {
  readonly at: number
  readonly value: number | undefined
}

/** How a level is published, if different from the default. */
interface LevelOptions {
  readonly intervalMilliseconds?: number
  readonly maxSteps?: number
}

/**
 * A value that exists continuously, such as provisioned throughput, published in intervals. Only its changes are
 * stored, so nothing has to run in the background for points that may never be read.
 */
export class LevelSeries implements MetricSource {
  readonly id: MetricId
  readonly #interval: number
  readonly #maxSteps: number
  readonly #steps: Step[] = []

  constructor(id: MetricId, { intervalMilliseconds = INTERVAL, maxSteps = MAX_STEPS }: LevelOptions = {}) {
    this.id = id
    this.#interval = intervalMilliseconds
    this.#maxSteps = maxSteps
  }

  /**
   * @param value `undefined` when there is no value from then on.
   * @param time the time of the change. A late report counts from the last change on.
   */
  set(value: number | undefined, time: number): void {
    const last = this.#steps.at(-1)
    const at = Math.max(time, last?.at ?? time)
    // A level that ended before it could be published is removed.
    if (last !== undefined && this.#firstFrom(last.at) >= at) this.#steps.pop()
    if (this.#steps.at(-1)?.value === value) return
    this.#steps.push({ at, value })
    if (this.#steps.length > this.#maxSteps) this.#steps.shift()
  }

  lastAt(now: number): number | undefined {
    for (let index = this.#steps.length - 1; index >= 0; index--) {
      const step = this.#steps[index]
      if (step?.value === undefined) continue
      const end = Math.min(now, (this.#steps[index + 1]?.at ?? Number.POSITIVE_INFINITY) - 1)
      const last = end - (end % this.#interval)
      if (last >= step.at) return last
    }
    return undefined
  }

  points(from: number, to: number, now: number): readonly MetricPoint[] {
    const points: MetricPoint[] = []
    for (const [index, { at, value }] of this.#steps.entries()) {
      if (value === undefined) continue
      const end = Math.min(this.#steps[index + 1]?.at ?? Number.POSITIVE_INFINITY, to, now + 1)
      for (let time = this.#firstFrom(Math.max(at, from)); time < end; time += this.#interval) {
        points.push({ at: time, count: 1, sum: value, minimum: value, maximum: value })
      }
    }
    return points
  }

  /** The time of the first publication at or after a time. */
  #firstFrom(time: number): number {
    return Math.ceil(time / this.#interval) * this.#interval
  }
}
