import type { MetricId, MetricPoint, MetricSource } from './metric-source.js'

/**
 * How often levels are published.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const INTERVAL = 5 * 60_000

/** Changes of one level that are remembered; the service takes four decreases a day, and increases are rarer still. */
const MAX_STEPS = 200

interface Step {
  readonly at: number
  readonly value: number | undefined
}

/**
 * Something that has a value all the time, such as a provisioned throughput, published in intervals. Only its changes
 * are kept: nothing has to run in the background for points that nobody may ask for.
 */
export class LevelSeries implements MetricSource {
  readonly id: MetricId
  readonly #steps: Step[] = []

  constructor(id: MetricId) {
    this.id = id
  }

  /** @param value nothing when there is none from now on. */
  set(value: number | undefined, now: number): void {
    const last = this.#steps.at(-1)
    if (last?.value === value) return
    if (last?.at === now) this.#steps.pop()
    this.#steps.push({ at: now, value })
    if (this.#steps.length > MAX_STEPS) this.#steps.shift()
  }

  lastAt(now: number): number | undefined {
    for (let index = this.#steps.length - 1; index >= 0; index--) {
      const step = this.#steps[index]
      if (step?.value === undefined) continue
      const end = Math.min(now, (this.#steps[index + 1]?.at ?? Number.POSITIVE_INFINITY) - 1)
      const last = end - (end % INTERVAL)
      if (last >= step.at) return last
    }
    return undefined
  }

  points(from: number, to: number, now: number): readonly MetricPoint[] {
    const points: MetricPoint[] = []
    for (const [index, { at, value }] of this.#steps.entries()) {
      if (value === undefined) continue
      const begin = Math.ceil(Math.max(at, from) / INTERVAL) * INTERVAL
      const end = Math.min(this.#steps[index + 1]?.at ?? Number.POSITIVE_INFINITY, to, now + 1)
      for (let time = begin; time < end; time += INTERVAL) {
        points.push({ at: time, count: 1, sum: value, minimum: value, maximum: value })
      }
    }
    return points
  }
}
