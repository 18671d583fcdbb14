import { percentile } from '../search/percentile.js'

/** The kinds of write that are measured. */
const LOADS = ['library', 'proxy', 'documents'] as const

export type LoadName = (typeof LOADS)[number]

/** What was measured in one period. */
export interface PeriodFigures {
  readonly writes: number
  /** In milliseconds, of all writes of the period. */
  readonly latency: Readonly<Record<LoadName, { readonly median: number; readonly tail: number }>>
  readonly repeats: number
  readonly kills: number
  readonly grown: number
  readonly fallen: number
  /** In megabytes, at the end of the period. `undefined` where the system does not say. */
  readonly engineMemory: number | undefined
  readonly proxyMemory: number | undefined
  readonly dataMegabytes: number
  /** Processor time of both processes in the period, in microseconds for each write. `undefined` if one was killed, or on systems without `/proc`. */
  readonly microsecondsPerWrite: number | undefined
  /** Processes of the whole machine that want a processor, the mean of a minute. */
  readonly machineLoad: number
}

interface EndOfPeriod {
  readonly engineMemory: number | undefined
  readonly proxyMemory: number | undefined
  readonly dataMegabytes: number
  readonly machineLoad: number
  readonly microseconds: number | undefined
}

/** Collects figures of the present period. */
export class SoakMeasures {
  readonly #periods: PeriodFigures[] = []
  #times: Record<LoadName, number[]> = { library: [], proxy: [], documents: [] }
  #counts = { repeats: 0, kills: 0, grown: 0, fallen: 0 }

  get periods(): readonly PeriodFigures[] {
    return this.#periods
  }

  wrote(load: LoadName, milliseconds: number, errors: number): void {
    this.#times[load].push(milliseconds)
    this.#counts.repeats += errors
  }

  killed(): void {
    this.#counts.kills++
  }

  scaled({ from, to }: { readonly from: number; readonly to: number }): void {
    if (to > from) this.#counts.grown++
    else this.#counts.fallen++
  }

  endPeriod({ microseconds, ...end }: EndOfPeriod): PeriodFigures {
    const times = this.#times
    const writes = LOADS.reduce((sum, load) => sum + times[load].length, 0)
    const isWhole = microseconds !== undefined && this.#counts.kills === 0
    const figures: PeriodFigures = {
      writes,
      microsecondsPerWrite: isWhole ? microseconds / writes : undefined,
      latency: {
        library: spread(times.library),
        proxy: spread(times.proxy),
        documents: spread(times.documents),
      },
      ...this.#counts,
      ...end,
    }
    this.#times = { library: [], proxy: [], documents: [] }
    this.#counts = { repeats: 0, kills: 0, grown: 0, fallen: 0 }
    this.#periods.push(figures)
    return figures
  }
}

const spread = (times: readonly number[]) => ({
  median: percentile(times, 0.5),
  tail: percentile(times, 0.99),
})
