import type { CapacityParameters } from '../partition/capacity-parameters.js'
import type { AccessKind } from '../partition/partition.js'

/** The average of one measuring interval, higher than all before it. */
export interface Peak {
  readonly reachedAt: number
  readonly unitsPerSecond: number
}

/** The growth state of one kind of access that outlives a process. Plain data. */
export interface KeptPeaks {
  readonly previous: number
  /** New peaks that do not count yet. */
  readonly coming: readonly Peak[]
}

/**
 * A peak is stored only when it exceeds the stored one by this factor. Slowly rising traffic sets a new peak every
 * minute, and storing each would write to the disk. So a restart may lose the last tenth of a peak.
 */
const NEWS_STEP = 1.1

/**
 * The throughput that an on-demand table or index can serve: a multiple of its previous peak. A new peak does not count
 * as the previous one at once, so traffic above twice the old peak may throttle for a while. The throughput never
 * decreases. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 */
export class OnDemandGrowth {
  readonly #parameters: CapacityParameters
  readonly #units: Record<AccessKind, number> = { read: 0, write: 0 }
  /** New peaks that do not count yet, each higher than the one before. The growth time bounds their number. */
  readonly #coming: Record<AccessKind, Peak[]> = { read: [], write: [] }
  readonly #previousPeak: Record<AccessKind, number> = { read: 0, write: 0 }
  /** The height from which a peak is stored. */
  readonly #newsFrom: Record<AccessKind, number>
  #hasNews = false
  #stretchEndsAt: number

  /** @param kept the state that was stored earlier. */
  constructor(parameters: CapacityParameters, now: number, kept?: Readonly<Record<AccessKind, KeptPeaks>>) {
    this.#parameters = parameters
    // Peaks that the initial partitions can serve anyway are not stored.
    const { onDemandPartitions, onDemandHeadroom } = parameters
    const partitions = onDemandPartitions / onDemandHeadroom
    this.#newsFrom = {
      read: partitions * parameters.partitionReadUnitsPerSecond,
      write: partitions * parameters.partitionWriteUnitsPerSecond,
    }
    for (const kind of ['read', 'write'] as const) {
      const { previous = 0, coming = [] } = kept?.[kind] ?? {}
      this.#previousPeak[kind] = previous
      // The clock of the process that reached it may have been ahead: fast time starts at the present in each process.
      for (const peak of coming) {
        this.#coming[kind].push({ ...peak, reachedAt: Math.min(peak.reachedAt, now) })
      }
      this.#raiseNews(kind, this.#highest(kind))
    }
    this.#stretchEndsAt = now + parameters.onDemandPeakSeconds * 1000
  }

  /** Units per second that the partitions should be able to serve. */
  servable(kind: AccessKind): number {
    const wanted = this.#previousPeak[kind] * this.#parameters.onDemandHeadroom
    return Math.min(wanted, this.#parameters.tableUnitsPerSecond)
  }

  get kept(): Record<AccessKind, KeptPeaks> {
    const of = (kind: AccessKind) => ({ previous: this.#previousPeak[kind], coming: [...this.#coming[kind]] })
    return { read: of('read'), write: of('write') }
  }

  /** Whether there has been a new peak to store since the last call. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  /** Records consumed units. @returns whether the servable throughput may have changed. */
  consumed(kind: AccessKind, units: number, now: number): boolean {
    const isOver = now >= this.#stretchEndsAt
    if (isOver) this.#endStretch(now)
    this.#units[kind] += units
    return isOver
  }

  #highest(kind: AccessKind): number {
    return this.#coming[kind].at(-1)?.unitsPerSecond ?? this.#previousPeak[kind]
  }

  /** @returns whether a peak of this height must be stored. The next one must be higher by `NEWS_STEP`. */
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
