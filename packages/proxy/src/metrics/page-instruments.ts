import type { Attributes, Counter, Gauge, Histogram, MetricOptions, Observable } from '@opentelemetry/api'
import { type Series, SeriesByAttributes } from './series.js'

type ObservableCallback = Parameters<Observable['addCallback']>[0]

/** The counts of a histogram. */
export interface Distribution {
  count: number
  sum: number
  /** The values up to each boundary that are above the one before it, and those above the last one. */
  readonly buckets: number[]
}

/** What an instrument has measured. */
export type Measured =
  | { readonly type: 'counter' | 'gauge'; readonly series: readonly Series<number>[] }
  | {
      readonly type: 'histogram'
      readonly boundaries: readonly number[]
      readonly series: readonly Series<Distribution>[]
    }

/** An instrument of the metrics page. */
export interface PageInstrument {
  readonly name: string
  readonly options: MetricOptions
  /** Asks the callbacks of the instrument, if it has any. */
  collect(): Promise<void>
  measured(): Measured
}

class Instrument {
  readonly name: string
  readonly options: MetricOptions

  constructor(name: string, options: MetricOptions) {
    this.name = name
    this.options = options
  }

  async collect(): Promise<void> {}
}

/** A sum, which only grows if it is a `counter`. */
export class PageSum extends Instrument implements Counter, PageInstrument {
  readonly type: 'counter' | 'gauge'
  readonly #series = new SeriesByAttributes(() => 0)

  constructor(name: string, options: MetricOptions, type: 'counter' | 'gauge') {
    super(name, options)
    this.type = type
  }

  add(value: number, attributes: Attributes = {}): void {
    if (this.type === 'counter' && value < 0) return
    this.#series.of(attributes).value += value
  }

  measured(): Measured {
    return { type: this.type, series: this.#series.all() }
  }
}

/** A value that is recorded when it changes. */
export class PageGauge extends Instrument implements Gauge, PageInstrument {
  readonly #series = new SeriesByAttributes(() => 0)

  record(value: number, attributes: Attributes = {}): void {
    this.#series.of(attributes).value = value
  }

  measured(): Measured {
    return { type: 'gauge', series: this.#series.all() }
  }
}

/** A value that is asked for when the page is. */
export class PageObservable extends Instrument implements Observable, PageInstrument {
  readonly type: 'counter' | 'gauge'
  readonly #series = new SeriesByAttributes(() => 0)
  readonly #callbacks = new Set<ObservableCallback>()

  constructor(name: string, options: MetricOptions, type: 'counter' | 'gauge') {
    super(name, options)
    this.type = type
  }

  addCallback(callback: ObservableCallback): void {
    this.#callbacks.add(callback)
  }

  removeCallback(callback: ObservableCallback): void {
    this.#callbacks.delete(callback)
  }

  observe(value: number, attributes: Attributes = {}): void {
    this.#series.of(attributes).value = value
  }

  override async collect(): Promise<void> {
    this.#series.clear()
    const result = { observe: (value: number, attributes?: Attributes) => this.observe(value, attributes) }
    for (const callback of this.#callbacks) await callback(result)
  }

  measured(): Measured {
    return { type: this.type, series: this.#series.all() }
  }
}

/** OpenTelemetry's default, which is made for milliseconds. */
const DEFAULT_BOUNDARIES = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000]

/** The distribution of values. */
export class PageHistogram extends Instrument implements Histogram, PageInstrument {
  readonly #boundaries: readonly number[]
  readonly #series: SeriesByAttributes<Distribution>

  constructor(name: string, options: MetricOptions) {
    super(name, options)
    const boundaries = options.advice?.explicitBucketBoundaries ?? DEFAULT_BOUNDARIES
    this.#boundaries = boundaries
    this.#series = new SeriesByAttributes(() => ({
      count: 0,
      sum: 0,
      buckets: Array.from({ length: boundaries.length + 1 }, () => 0),
    }))
  }

  record(value: number, attributes: Attributes = {}): void {
    if (value < 0) return
    const distribution = this.#series.of(attributes).value
    distribution.count++
    distribution.sum += value
    const at = this.#boundaries.findIndex((boundary) => value <= boundary)
    const bucket = at < 0 ? this.#boundaries.length : at
    distribution.buckets[bucket] = (distribution.buckets[bucket] ?? 0) + 1
  }

  measured(): Measured {
    return { type: 'histogram', boundaries: this.#boundaries, series: this.#series.all() }
  }
}
