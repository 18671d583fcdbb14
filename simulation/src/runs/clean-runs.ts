import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Outcome } from './seed-processes.js'
import { Summary, type Totals } from './summary.js'

/** Seeds one after the other that broke nothing: a line of a record. */
export interface CleanRuns {
  /** Which library they were tried with: see `libraryDigest`. */
  readonly library: string
  /** The first seed; the others follow it without a gap. */
  readonly from: number
  /** Simulated seconds of load in each. */
  readonly seconds: number
  readonly totals: Totals
}

/** So many seeds make a line: what a night that is broken off loses at most, for each process. */
const SEEDS_IN_A_LINE = 250

/** What a record holds; nothing where there is none yet. */
export function readRecord(path: string): readonly CleanRuns[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as CleanRuns)
}

/** Where to go on: behind the last seed that the same library was tried with for as long. */
export function nextSeed(
  record: readonly CleanRuns[],
  { library, seconds }: Pick<CleanRuns, 'library' | 'seconds'>,
): number {
  const same = record.filter((runs) => runs.library === library && runs.seconds === seconds)
  return Math.max(1, ...same.map(({ from, totals }) => from + totals.seeds))
}

/** All that a library was tried with. */
export function totalsOf(record: readonly CleanRuns[], library: string): Summary {
  const summary = new Summary()
  for (const runs of record) if (runs.library === library) summary.addTotals(runs.totals)
  return summary
}

/** Writes seeds down in their order, whatever the order in which they end, and no further than the first that broke something. */
export class CleanRunsRecorder {
  readonly #path: string
  readonly #runs: Pick<CleanRuns, 'library' | 'seconds'>
  readonly #early = new Map<number, Outcome>()
  #from: number
  #summary = new Summary()

  constructor(path: string, runs: Pick<CleanRuns, 'library' | 'seconds' | 'from'>) {
    this.#path = path
    this.#runs = { library: runs.library, seconds: runs.seconds }
    this.#from = runs.from
  }

  add(outcome: Outcome): void {
    this.#early.set(outcome.request.seed, outcome)
    for (;;) {
      const seed = this.#from + this.#summary.seeds
      const next = this.#early.get(seed)
      if (next === undefined || next.brokenRule !== undefined) return
      this.#early.delete(seed)
      this.#summary.add(next.tally, next.cpuMilliseconds)
      if (this.#summary.seeds === SEEDS_IN_A_LINE) this.end()
    }
  }

  /** Writes down what is there, though it is less than a line usually has. */
  end(): void {
    if (this.#summary.seeds === 0) return
    const runs: CleanRuns = { ...this.#runs, from: this.#from, totals: { ...this.#summary } }
    appendFileSync(this.#path, `${JSON.stringify(runs)}\n`)
    this.#from += this.#summary.seeds
    this.#summary = new Summary()
  }
}
