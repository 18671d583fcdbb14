import type { AccessKind } from '../partition/partition.js'
import type { CapacityParameters } from './capacity-parameters.js'

/** The average of one stretch of time, higher than everything before it. */
interface Peak {
  readonly reachedAt: number
  readonly unitsPerSecond: number
}

/**
 * What an on-demand table or index is made able to serve: a multiple of its previous peak, in time. A new peak does not
 * count as the previous one at once, which is why more than twice the old one may throttle for a while. It never goes
 * down.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 */
export class OnDemandGrowth {
  readonly #parameters: CapacityParameters
  readonly #units: Record<AccessKind, number> = { read: 0, write: 0 }
  /** New peaks that do not count yet, each higher than the one before: never more than fit into the growth time. */
  readonly #coming: Record<AccessKind, Peak[]> = { read: [], write: [] }
  readonly #previousPeak: Record<AccessKind, number> = { read: 0, write: 0 }
  #stretchEndsAt: number

  constructor(parameters: CapacityParameters, now: number) {
    this.#parameters = parameters
    this.#stretchEndsAt = now + parameters.onDemandPeakSeconds * 1000
  }

  /** Units a second that there are to be partitions for. */
  servable(kind: AccessKind): number {
    const wanted = this.#previousPeak[kind] * this.#parameters.onDemandHeadroom
    return Math.min(wanted, this.#parameters.tableUnitsPerSecond)
  }

  /** Notes what was taken. @returns whether there may be something new to serve. */
  consumed(kind: AccessKind, units: number, now: number): boolean {
    const isOver = now >= this.#stretchEndsAt
    if (isOver) this.#endStretch(now)
    this.#units[kind] += units
    return isOver
  }

  #endStretch(now: number): void {
    const { onDemandPeakSeconds, onDemandGrowthSeconds } = this.#parameters
    for (const kind of ['read', 'write'] as const) {
      const coming = this.#coming[kind]
      const unitsPerSecond = this.#units[kind] / onDemandPeakSeconds
      const highest = coming.at(-1)?.unitsPerSecond ?? this.#previousPeak[kind]
      if (unitsPerSecond > highest) coming.push({ reachedAt: this.#stretchEndsAt, unitsPerSecond })
      const due = coming.findIndex(({ reachedAt }) => reachedAt + onDemandGrowthSeconds * 1000 > now)
      const counted = coming.splice(0, due === -1 ? coming.length : due)
      this.#previousPeak[kind] = counted.at(-1)?.unitsPerSecond ?? this.#previousPeak[kind]
      this.#units[kind] = 0
    }
    const milliseconds = onDemandPeakSeconds * 1000
    this.#stretchEndsAt += (Math.floor((now - this.#stretchEndsAt) / milliseconds) + 1) * milliseconds
  }
}
