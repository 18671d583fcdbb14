import type {
  Attributes,
  BatchObservableCallback,
  Meter,
  MetricOptions,
  Observable,
} from '@opentelemetry/api'
import { PageGauge, PageHistogram, type PageInstrument, PageObservable, PageSum } from './page-instruments.js'
import { prometheusText, type Source } from './prometheus-text.js'

/**
 * The meter behind the page for Prometheus: OpenTelemetry's interface, without its SDK. The SDK takes 40 MB, and a proxy whose metrics
 * are scraped does not need it.
 */
export class PageMeter implements Meter {
  readonly #source: Source
  readonly #instruments: PageInstrument[] = []
  readonly #batches = new Set<BatchObservableCallback>()

  constructor(source: Source) {
    this.#source = source
  }

  /** Asks all callbacks, and writes the page. */
  async text(): Promise<string> {
    for (const instrument of this.#instruments) await instrument.collect()
    const result = {
      observe: (metric: Observable, value: number, attributes?: Attributes) => {
        if (metric instanceof PageObservable) metric.observe(value, attributes)
      },
    }
    for (const callback of this.#batches) await callback(result)
    return prometheusText(this.#source, this.#instruments)
  }

  createCounter(name: string, options: MetricOptions = {}): PageSum {
    return this.#with(new PageSum(name, options, 'counter'))
  }

  createUpDownCounter(name: string, options: MetricOptions = {}): PageSum {
    return this.#with(new PageSum(name, options, 'gauge'))
  }

  createGauge(name: string, options: MetricOptions = {}): PageGauge {
    return this.#with(new PageGauge(name, options))
  }

  createHistogram(name: string, options: MetricOptions = {}): PageHistogram {
    return this.#with(new PageHistogram(name, options))
  }

  createObservableGauge(name: string, options: MetricOptions = {}): PageObservable {
    return this.#with(new PageObservable(name, options, 'gauge'))
  }

  createObservableUpDownCounter(name: string, options: MetricOptions = {}): PageObservable {
    return this.#with(new PageObservable(name, options, 'gauge'))
  }

  createObservableCounter(name: string, options: MetricOptions = {}): PageObservable {
    return this.#with(new PageObservable(name, options, 'counter'))
  }

  addBatchObservableCallback(callback: BatchObservableCallback): void {
    this.#batches.add(callback)
  }

  removeBatchObservableCallback(callback: BatchObservableCallback): void {
    this.#batches.delete(callback)
  }

  #with<Instrument extends PageInstrument>(instrument: Instrument): Instrument {
    this.#instruments.push(instrument)
    return instrument
  }
}
