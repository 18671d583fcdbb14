import { type HistoryCounts, historyCounts } from '../invariants/item-history.js'
import { type Coverage, type CoverageKind, noCoverageYet } from '../world/coverage.js'
import { type FaultCounts, type FaultKind, noFaultsYet } from '../world/faults.js'
import type { Tally } from './tally.js'

/** What many runs came to together. */
export interface Totals {
  readonly seeds: number
  readonly simulatedMilliseconds: number
  readonly requests: number
  readonly transactions: number
  readonly countChanges: number
  readonly faults: FaultCounts
  /** Runs in which each came about under load, however often. */
  readonly coverage: Coverage
  /** Of single items: see `HistoryCounts`. */
  readonly histories: HistoryCounts
  /** What they took of one core. */
  readonly cpuMilliseconds: number
}

/** Adds runs up that had the same seconds of load. */
export class Summary implements Totals {
  readonly #secondsOfLoad: number
  seeds = 0
  simulatedMilliseconds = 0
  requests = 0
  transactions = 0
  countChanges = 0
  cpuMilliseconds = 0
  readonly faults = noFaultsYet()
  readonly coverage = noCoverageYet()
  histories: HistoryCounts = historyCounts([])

  constructor(secondsOfLoad: number) {
    this.#secondsOfLoad = secondsOfLoad
  }

  /** Of each run. */
  get secondsOfLoad(): number {
    return this.#secondsOfLoad
  }

  /** One run. */
  add(tally: Tally, cpuMilliseconds: number): void {
    this.addTotals({ ...tally, coverage: inOneRun(tally.coverage), seeds: 1, cpuMilliseconds })
  }

  addTotals(totals: Totals): void {
    this.seeds += totals.seeds
    this.simulatedMilliseconds += totals.simulatedMilliseconds
    this.requests += totals.requests
    this.transactions += totals.transactions
    this.countChanges += totals.countChanges
    this.cpuMilliseconds += totals.cpuMilliseconds
    // A record may be older than a kind of fault, than histories, and than what is counted of the load.
    const counts = { ...historyCounts([]), ...totals.histories }
    this.histories = historyCounts([{ counts: this.histories }, { counts }])
    for (const kind of Object.keys(this.faults) as FaultKind[]) this.faults[kind] += totals.faults[kind] ?? 0
    for (const kind of Object.keys(this.coverage) as CoverageKind[]) {
      this.coverage[kind] += totals.coverage?.[kind] ?? 0
    }
  }

  /** Names and numbers, for people. */
  rows(): readonly (readonly [string, string])[] {
    return [
      ['seeds', grouped(this.seeds)],
      ['hours of load', grouped((this.seeds * this.#secondsOfLoad) / 3_600)],
      ['simulated hours', grouped(this.simulatedMilliseconds / 3_600_000)],
      ['requests', grouped(this.requests)],
      ['transactions', grouped(this.transactions)],
      ['count changes', grouped(this.countChanges)],
      ['items followed', grouped(this.histories.followed)],
      ['operations on them', grouped(this.histories.answered)],
      ['of them unchecked', grouped(this.histories.unchecked)],
      ...Object.entries(this.coverage).map(([kind, runs]) => [`runs: ${kind}`, grouped(runs)] as const),
      ...Object.entries(this.faults).map(([kind, count]) => [kind, grouped(count)] as const),
      ['requests/s of CPU', grouped((this.requests / this.cpuMilliseconds) * 1_000)],
    ]
  }

  lines(): readonly string[] {
    return this.rows().map(([name, value]) => `${name.padEnd(30)} ${value.padStart(15)}`)
  }
}

function inOneRun(coverage: Coverage): Coverage {
  const counts = Object.entries(coverage).map(([kind, count]) => [kind, Math.min(1, count)])
  return Object.fromEntries(counts) as Coverage
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 })
}
