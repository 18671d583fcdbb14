import type { Clock } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../keys/key.js'
import { WindowCounter } from './window-counter.js'

/** What was seen of one key over the last window, in write units. */
export interface HeatReport {
  readonly offeredUnits: number
  readonly acceptedUnits: number
  readonly throttledUnits: number
  /** The most throttled units of any key of the table, this one included. */
  readonly hottestThrottledUnits: number
  readonly windowSeconds: number
}

/** Long enough to tell a hot key from a coincidence, short enough to follow a traffic ramp. */
const WINDOW_MILLISECONDS = 5_000

/** Keys followed at a time. A key that is hot enough to matter is among the 256 hottest of its process. */
const MAX_KEYS = 256

class Entry {
  /** Estimated units since ever, halved at each window: what decides who stays. */
  weight: number
  window = 0
  readonly offered = new WindowCounter(WINDOW_MILLISECONDS)
  readonly accepted = new WindowCounter(WINDOW_MILLISECONDS)
  readonly throttled = new WindowCounter(WINDOW_MILLISECONDS)
  /** As `throttled`, but never begun anew: what a key did to its neighbours outlasts the change of its count. */
  readonly blame = new WindowCounter(WINDOW_MILLISECONDS)

  constructor(weight: number) {
    this.weight = weight
  }

  grow(units: number, window: number): void {
    this.weight = this.weightAt(window) + units
    this.window = window
  }

  weightAt(window: number): number {
    return window === this.window ? this.weight : this.weight * 0.5 ** (window - this.window)
  }
}

/**
 * The hottest logical keys of one table, as this process sees them: a space-saving sketch, so memory is bounded whatever
 * the number of keys. A key that is not followed takes the place of the lightest one and inherits its weight, so that
 * a newly hot key gets in while a crowd of cold ones cannot push out a hot one.
 *
 * Source: Metwally, Agrawal, El Abbadi: Efficient computation of frequent and top-k elements in data streams (2005)
 */
export class KeyHeat {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The application asks to write so many units. */
  offered(key: LogicalKey, units: number): void {
    const now = this.#clock.now()
    const entry = this.#follow(keyText(key), Math.floor(now / WINDOW_MILLISECONDS))
    entry.grow(units, Math.floor(now / WINDOW_MILLISECONDS))
    entry.offered.add(units, now)
  }

  /** So many units were written. */
  accepted(key: LogicalKey, units: number): void {
    this.#entries.get(keyText(key))?.accepted.add(units, this.#clock.now())
  }

  /** A write of so many units was refused by a hot partition at its first attempt. */
  throttled(key: LogicalKey, units: number): void {
    const now = this.#clock.now()
    const entry = this.#entries.get(keyText(key))
    entry?.throttled.add(units, now)
    entry?.blame.add(units, now)
  }

  /** @returns `undefined` for a key that is not among those followed */
  report(key: LogicalKey): HeatReport | undefined {
    const entry = this.#entries.get(keyText(key))
    if (entry === undefined) return undefined
    const now = this.#clock.now()
    let hottestThrottledUnits = 0
    for (const { blame } of this.#entries.values()) {
      hottestThrottledUnits = Math.max(hottestThrottledUnits, blame.sum(now))
    }
    return {
      offeredUnits: entry.offered.sum(now),
      acceptedUnits: entry.accepted.sum(now),
      throttledUnits: entry.throttled.sum(now),
      hottestThrottledUnits,
      windowSeconds: WINDOW_MILLISECONDS / 1_000,
    }
  }

  /** Begins the key's evidence anew: what was seen under another number of shards proves nothing. */
  reset(key: LogicalKey): void {
    const entry = this.#entries.get(keyText(key))
    entry?.offered.reset()
    entry?.accepted.reset()
    entry?.throttled.reset()
  }

  #follow(text: string, window: number): Entry {
    const followed = this.#entries.get(text)
    if (followed !== undefined) return followed
    const entry = new Entry(this.#entries.size < MAX_KEYS ? 0 : this.#evictLightest(window))
    entry.window = window
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
