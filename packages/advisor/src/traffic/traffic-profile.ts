/** What one key gets in its busiest window, and what all others get in theirs, in requests per second. */
export interface TrafficProfile {
  /** The keys with the most writes or reads, the busiest first. */
  readonly keys: readonly KeyTraffic[]
  readonly distinctKeys: number
  readonly requests: number
  readonly seconds: number
  /** Of the whole table in its busiest window. */
  readonly peakWritesPerSecond: number
  readonly peakReadsPerSecond: number
  readonly meanWritesPerSecond: number
  readonly meanReadsPerSecond: number
  /** The mean size of the items, if the log has sizes. */
  readonly itemBytes?: number
}

/** A key's rates in its own busiest window. */
export interface KeyTraffic {
  readonly key: string
  readonly writesPerSecond: number
  readonly readsPerSecond: number
}

/** One request of a log. */
export interface LoggedRequest {
  /** Seconds, from any beginning. */
  readonly at: number
  readonly key: string
  readonly kind: 'read' | 'write'
  /** How many items or pages. */
  readonly count: number
  readonly bytes?: number
}

interface Window {
  writes: number
  reads: number
}

type Windows = ReadonlyMap<number, Window>

const MAX_KEYS = 20

/** Adds up the requests of a log. Requests may come in any order. */
export class TrafficCounter {
  readonly #windowSeconds: number
  readonly #windows = new Map<number, Window>()
  readonly #keys = new Map<string, Map<number, Window>>()
  #requests = 0
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY
  #bytes = 0
  #sized = 0

  /** @param windowSeconds the time over which rates are averaged; shorter peaks vanish in it */
  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds
  }

  add({ at, key, kind, count, bytes }: LoggedRequest): void {
    this.#requests++
    this.#first = Math.min(this.#first, at)
    this.#last = Math.max(this.#last, at)
    if (bytes !== undefined) {
      this.#bytes += bytes
      this.#sized++
    }
    const window = Math.floor(at / this.#windowSeconds)
    let ofKey = this.#keys.get(key)
    if (ofKey === undefined) {
      ofKey = new Map()
      this.#keys.set(key, ofKey)
    }
    for (const windows of [this.#windows, ofKey]) {
      const counts = windows.get(window) ?? { writes: 0, reads: 0 }
      windows.set(window, counts)
      if (kind === 'write') counts.writes += count
      else counts.reads += count
    }
  }

  /** @param rate how much denser the traffic shall be than in the log */
  profile(rate = 1): TrafficProfile {
    const seconds = Math.max(this.#windowSeconds, this.#last - this.#first + 1)
    const meanOf = (windows: Windows, kind: keyof Window) => (sumOf(windows, kind) * rate) / seconds
    // A log of a minute may lie in two windows, of which neither is as busy as that minute.
    const peakOf = (windows: Windows, kind: keyof Window) =>
      Math.max((mostOf(windows, kind) * rate) / this.#windowSeconds, meanOf(windows, kind))
    const peaks = [...this.#keys].map(([key, windows]) => ({
      key,
      writesPerSecond: peakOf(windows, 'writes'),
      readsPerSecond: peakOf(windows, 'reads'),
    }))
    const busiest = peaks.sort((a, b) => heatOf(b) - heatOf(a)).slice(0, MAX_KEYS)
    return {
      keys: busiest,
      distinctKeys: this.#keys.size,
      requests: this.#requests,
      seconds,
      peakWritesPerSecond: peakOf(this.#windows, 'writes'),
      peakReadsPerSecond: peakOf(this.#windows, 'reads'),
      meanWritesPerSecond: meanOf(this.#windows, 'writes'),
      meanReadsPerSecond: meanOf(this.#windows, 'reads'),
      ...(this.#sized === 0 ? {} : { itemBytes: this.#bytes / this.#sized }),
    }
  }
}

function mostOf(windows: Windows, kind: keyof Window): number {
  let most = 0
  for (const window of windows.values()) most = Math.max(most, window[kind])
  return most
}

function sumOf(windows: Windows, kind: keyof Window): number {
  let sum = 0
  for (const window of windows.values()) sum += window[kind]
  return sum
}

/** A write fills a partition three times as fast as a read. */
function heatOf({ writesPerSecond, readsPerSecond }: KeyTraffic): number {
  return Math.max(writesPerSecond * 3, readsPerSecond)
}
