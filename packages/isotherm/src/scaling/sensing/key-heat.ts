import type { Clock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../../keys/key.js'
import { WindowCounter } from './window-counter.js'

/** The traffic of one key over the last window, in write units. */
export interface HeatReport {
  readonly offeredUnits: number
  readonly acceptedUnits: number
  readonly throttledUnits: number
  readonly windowSeconds: number
  /** Units since the key is followed. The difference between two reports is the amount between them. */
  readonly offeredSoFar: number
  readonly acceptedSoFar: number
  /** How many times as much was offered in the last whole window as in the one before it; 1 if that is not known. */
  readonly trend: number
}

/** One of the hottest keys. */
export interface HotKey {
  readonly key: LogicalKey
  /** Recent write units: those of the current window, half of those of the previous one, a quarter of the next, etc. */
  readonly recentUnits: number
  /**
   * The part of `recentUnits` that may belong to another key. The true number lies between
   * `recentUnits - recentUnitsError` and `recentUnits`.
   */
  readonly recentUnitsError: number
  readonly report: HeatReport
}

/** The hottest keys of a table. */
export interface HottestKeys {
  readonly keys: readonly HotKey[]
  /** No key that is missing here has more recent units than this. */
  readonly otherKeysAtMost: number
}

/** Long enough to distinguish a hot key from chance, and short enough to follow a traffic ramp. */
const WINDOW_MILLISECONDS = 5_000

/** With fewer units, the trend is chance. */
const MIN_TREND_UNITS = 50

/** The maximum number of followed keys. A key hot enough to matter is among the 256 hottest of its process. */
export const MAX_FOLLOWED_KEYS = 256

class Entry {
  readonly key: LogicalKey
  /** The estimated units in total, halved with each window. The lightest key is evicted first. */
  weight: number
  /** The part of the weight that was inherited from an evicted key. It bounds the error of the estimate. */
  inherited: number
  window: number
  offeredSoFar = 0
  acceptedSoFar = 0
  /**
   * The units that were offered before the current window, and before each of the two windows before it. Not numbers until these
   * windows are whole ones.
   */
  #offeredBefore: readonly [number, number, number] = [Number.NaN, Number.NaN, Number.NaN]
  readonly offered = new WindowCounter(WINDOW_MILLISECONDS)
  readonly accepted = new WindowCounter(WINDOW_MILLISECONDS)
  readonly throttled = new WindowCounter(WINDOW_MILLISECONDS)
  /** Like `throttled`, but never reset: a key's effect on its neighbours outlasts a change of its count. */
  readonly blame = new WindowCounter(WINDOW_MILLISECONDS)

  constructor(key: LogicalKey, inherited: number, window: number) {
    this.key = key
    this.weight = inherited
    this.inherited = inherited
    this.window = window
  }

  grow(units: number, window: number): void {
    if (window !== this.window) this.#roll(window)
    this.inherited *= this.#leftAt(window)
    this.weight = this.weightAt(window) + units
    this.window = window
  }

  /** How many times as much was offered in the last whole window as in the one before it; 1 if that is not known. */
  get trend(): number {
    const [current, last, before] = this.#offeredBefore
    return last - before >= MIN_TREND_UNITS ? (current - last) / (last - before) : 1
  }

  #roll(window: number): void {
    const [current, last] = this.#offeredBefore
    const isNext = window === this.window + 1
    this.#offeredBefore = isNext
      ? [this.offeredSoFar, current, last]
      : [this.offeredSoFar, this.offeredSoFar, this.offeredSoFar]
  }

  weightAt(window: number): number {
    return this.weight * this.#leftAt(window)
  }

  inheritedAt(window: number): number {
    return this.inherited * this.#leftAt(window)
  }

  #leftAt(window: number): number {
    return window === this.window ? 1 : 0.5 ** (window - this.window)
  }
}

/**
 * The hottest logical keys of one table in this process. It is a space-saving sketch, so its memory is bounded for any
 * number of keys. A new key replaces the lightest followed key and inherits its weight. So a newly hot key is followed
 * soon, and many cold keys cannot evict a hot one.
 *
 * Source: Metwally, Agrawal, El Abbadi: Efficient computation of frequent and top-k elements in data streams (2005)
 */
export class KeyHeat {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records units that the application requested to write. */
  offered(key: LogicalKey, units: number): void {
    const now = this.#clock.now()
    const window = windowAt(now)
    const entry = this.#follow(key, window)
    entry.grow(units, window)
    entry.offered.add(units, now)
    entry.offeredSoFar += units
  }

  /** Records units that were written. */
  accepted(key: LogicalKey, units: number): void {
    const entry = this.#entries.get(keyText(key))
    if (entry === undefined) return
    entry.accepted.add(units, this.#clock.now())
    entry.acceptedSoFar += units
  }

  /** Records the units of a write whose first attempt was throttled by a hot partition. */
  throttled(key: LogicalKey, units: number): void {
    const now = this.#clock.now()
    const entry = this.#entries.get(keyText(key))
    entry?.throttled.add(units, now)
    entry?.blame.add(units, now)
  }

  /** @returns `undefined` for a key that is not followed */
  report(key: LogicalKey): HeatReport | undefined {
    const entry = this.#entries.get(keyText(key))
    if (entry === undefined) return undefined
    const now = this.#clock.now()
    return reportOf(entry, now)
  }

  /** The `top` keys with the most recent write units, hottest first. */
  hottest(top: number): HottestKeys {
    const now = this.#clock.now()
    const window = windowAt(now)
    const followed = [...this.#entries.values()].sort((a, b) => b.weightAt(window) - a.weightAt(window))
    const keys = followed.slice(0, top).map((entry) => ({
      key: entry.key,
      recentUnits: entry.weightAt(window),
      recentUnitsError: entry.inheritedAt(window),
      report: reportOf(entry, now),
    }))
    // No other key weighs more than the lightest followed key. Below the maximum, every key is followed.
    const lightest = this.#entries.size < MAX_FOLLOWED_KEYS ? undefined : followed.at(-1)
    return { keys, otherKeysAtMost: (followed[top] ?? lightest)?.weightAt(window) ?? 0 }
  }

  /** Resets the key's evidence, because traffic under a different shard count proves nothing. */
  reset(key: LogicalKey): void {
    const entry = this.#entries.get(keyText(key))
    entry?.offered.reset()
    entry?.accepted.reset()
    entry?.throttled.reset()
  }

  /** The throttled units of the most throttled key. */
  hottestThrottledUnits(): number {
    const now = this.#clock.now()
    let most = 0
    for (const { blame } of this.#entries.values()) most = Math.max(most, blame.sum(now))
    return most
  }

  #follow(key: LogicalKey, window: number): Entry {
    const text = keyText(key)
    const followed = this.#entries.get(text)
    if (followed !== undefined) return followed
    const inherited = this.#entries.size < MAX_FOLLOWED_KEYS ? 0 : this.#evictLightest(window)
    const entry = new Entry(key, inherited, window)
    this.#entries.set(text, entry)
    return entry
  }

  #evictLightest(window: number): number {
    let lightest = ''
    let least = Number.POSITIVE_INFINITY
    for (const [text, entry] of this.#entries) {
      const weight = entry.weightAt(window)
      if (weight >= least) continue
      lightest = text
      least = weight
    }
    this.#entries.delete(lightest)
    return least
  }
}

function windowAt(now: number): number {
  return Math.floor(now / WINDOW_MILLISECONDS)
}

function reportOf(entry: Entry, now: number): HeatReport {
  return {
    offeredUnits: entry.offered.sum(now),
    acceptedUnits: entry.accepted.sum(now),
    throttledUnits: entry.throttled.sum(now),
    windowSeconds: WINDOW_MILLISECONDS / 1_000,
    offeredSoFar: entry.offeredSoFar,
    trend: entry.trend,
    acceptedSoFar: entry.acceptedSoFar,
  }
}
