import type { AccessKind } from '../partition/partition.js'
import type { CapacityParameters } from './capacity-parameters.js'

/** The average of one stretch of time, higher than everything before it. */
interface Peak {
  readonly reachedAt: number
  readonly unitsPerSecond: number
}

/** What outlives a process of one kind of access. Plain data. */
export interface KeptPeaks {
  readonly previous: number
  /** New peaks that did not count yet. */
  readonly coming: readonly Peak[]
}

/**
 * By how much a peak has to be higher to be news. Traffic that rises slowly sets a new peak every minute, and each would be
 * written to the disk; so a restart may forget the last tenth of one.
 */
const NEWS_STEP = 1.1

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
  /** How high a peak has to be to be news. */
  readonly #newsFrom: Record<AccessKind, number>
  #hasNews = false
  #stretchEndsAt: number

  /** @param kept what is known from before. */
  constructor(parameters: CapacityParameters, now: number, kept?: Readonly<Record<AccessKind, KeptPeaks>>) {
    this.#parameters = parameters
    // What the partitions of its birth serve anyway is not worth a word.
    const { onDemandPartitions, onDemandHeadroom } = parameters
    const partitions = onDemandPartitions / onDemandHeadroom
    this.#newsFrom = {
      read: partitions * parameters.partitionReadUnitsPerSecond,
      write: partitions * parameters.partitionWriteUnitsPerSecond,
    }
    for (const kind of ['read', 'write'] as const) {
      const { previous = 0, coming = [] } = kept?.[kind] ?? {}
      this.#previousPeak[kind] = previous
      this.#coming[kind].push(...coming)
      this.#raiseNews(kind, this.#highest(kind))
    }
    this.#stretchEndsAt = now + parameters.onDemandPeakSeconds * 1000
  }

  /** Units a second that there are to be partitions for. */
  servable(kind: AccessKind): number {
    const wanted = this.#previousPeak[kind] * this.#parameters.onDemandHeadroom
    return Math.min(wanted, this.#parameters.tableUnitsPerSecond)
  }

  get kept(): Record<AccessKind, KeptPeaks> {
    const of = (kind: AccessKind) => ({ previous: this.#previousPeak[kind], coming: [...this.#coming[kind]] })
    return { read: of('read'), write: of('write') }
  }

  /** Whether there is a peak worth keeping since this was last asked. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  /** Notes what was taken. @returns whether there may be something new to serve. */
  consumed(kind: AccessKind, units: number, now: number): boolean {
    const isOver = now >= this.#stretchEndsAt
    if (isOver) this.#endStretch(now)
    this.#units[kind] += units
    return isOver
  }

  #highest(kind: AccessKind): number {
    return this.#coming[kind].at(-1)?.unitsPerSecond ?? this.#previousPeak[kind]
  }

  /** @returns whether a peak of so much is news; the next one has to be a step higher. */
  #raiseNews(kind: AccessKind, unitsPerSecond: number): boolean {
    if (unitsPerSecond < this.#newsFrom[kind]) return false
    this.#newsFrom[kind] = unitsPerSecond * NEWS_STEP
    return true
  }

  #endStretch(now: number): void {
    const { onDemandPeakSeconds, onDemandGrowthSeconds } = this.#parameters
    for (const kind of ['read', 'write'] as const) {
      const coming = this.#coming[kind]
      const unitsPerSecond = this.#units[kind] / onDemandPeakSeconds
      if (unitsPerSecond > this.#highest(kind)) {
        coming.push({ reachedAt: this.#stretchEndsAt, unitsPerSecond })
        if (this.#raiseNews(kind, unitsPerSecond)) this.#hasNews = true
      }
      const due = coming.findIndex(({ reachedAt }) => reachedAt + onDemandGrowthSeconds * 1000 > now)
      const counted = coming.splice(0, due === -1 ? coming.length : due)
      this.#previousPeak[kind] = counted.at(-1)?.unitsPerSecond ?? this.#previousPeak[kind]
      this.#units[kind] = 0
    }
    const milliseconds = onDemandPeakSeconds * 1000
    this.#stretchEndsAt += (Math.floor((now - this.#stretchEndsAt) / milliseconds) + 1) * milliseconds
  }
}
