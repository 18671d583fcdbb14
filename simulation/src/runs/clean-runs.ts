import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { CommandError } from '../command-error.js'
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

/** Which runs can be counted together: those of one library, each with as much load. */
type Kind = Pick<CleanRuns, 'library' | 'seconds'>

/** What a record holds; nothing where there is none yet. @throws CommandError where something else is in the file */
export function readRecord(path: string): readonly CleanRuns[] {
  if (!existsSync(path)) return []
  const lines = withFile(path, () => readFileSync(path, 'utf8')).split('\n')
  return lines.flatMap((line, index) => (line === '' ? [] : [runsOf(path, line, index + 1)]))
}

function runsOf(path: string, line: string, number: number): CleanRuns {
  try {
    return JSON.parse(line) as CleanRuns
  } catch (cause) {
    const message = `--record is '${path}'; it must be a record of clean runs, and line ${number} is none.`
    throw new CommandError(message, { cause })
  }
}

function withFile<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message = `--record is '${path}'; it must be a file that can be read and written (${code}).`
    throw new CommandError(message, { cause })
  }
}

/** Where to continue: behind the last seed that the same library was tried with for as long. */
export function nextSeed(record: readonly CleanRuns[], kind: Kind): number {
  return Math.max(1, ...ofKind(record, kind).map(({ from, totals }) => from + totals.seeds))
}

/** Seeds that are counted twice would make more of a record than was tried. @throws CommandError */
export function refuseRecorded(
  record: readonly CleanRuns[],
  { from, seeds, ...kind }: Kind & { readonly from: number; readonly seeds: number },
): void {
  const same = ofKind(record, kind)
  const known = same.find((runs) => runs.from < from + seeds && from < runs.from + runs.totals.seeds)
  if (known === undefined) return
  const there = `${known.from} to ${known.from + known.totals.seeds - 1} are in the record already`
  throw new CommandError(
    `--from is '${from}', and the seeds ${there}, with this library and ${kind.seconds} s of load; leave --from out, or say ${nextSeed(record, kind)}.`,
  )
}

/** All that a library was tried with, for each number of seconds of load: the shortest first. */
export function totalsOf(record: readonly CleanRuns[], library: string): readonly Summary[] {
  const own = record.filter((runs) => runs.library === library)
  const seconds = [...new Set(own.map((runs) => runs.seconds))].sort((a, b) => a - b)
  return seconds.map((each) => {
    const summary = new Summary(each)
    for (const { totals } of ofKind(own, { library, seconds: each })) summary.addTotals(totals)
    return summary
  })
}

function ofKind(record: readonly CleanRuns[], { library, seconds }: Kind): readonly CleanRuns[] {
  return record.filter((runs) => runs.library === library && runs.seconds === seconds)
}

/** Writes seeds down in their order, whatever the order in which they end, and no further than the first that broke something. */
export class CleanRunsRecorder {
  readonly #path: string
  readonly #runs: Kind
  readonly #early = new Map<number, Outcome>()
  #from: number
  #summary: Summary

  /** @throws CommandError where nothing can be written down: a night of runs shall not end with that */
  constructor(path: string, runs: Kind & Pick<CleanRuns, 'from'>) {
    this.#path = path
    this.#summary = new Summary(runs.seconds)
    this.#runs = { library: runs.library, seconds: runs.seconds }
    this.#from = runs.from
    withFile(path, () => appendFileSync(path, ''))
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
    this.#summary = new Summary(this.#runs.seconds)
  }
}
