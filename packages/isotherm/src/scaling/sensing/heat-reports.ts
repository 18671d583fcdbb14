import { type Random, randomInteger } from '@isotherm/runtime'
import type { RateReport, ShardState } from '../../protocol/index.js'

/** How long a report is valid: longer than the random delays, so that the reports of one period of throttling overlap. */
const REPORT_SECONDS = 30

/** The maximum number of reports in an item, about 2 KB. With more processes, a part of the reports is enough. */
const MAX_REPORTS = 100

const REPORT = /^(\d+):([0-9a-z]+):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/

/** Write units per second. */
export interface KeyRates {
  readonly offered: number
  readonly accepted: number
}

/**
 * A key's rates in the whole fleet, combined from the rates that processes record in the shard map.
 *
 * One process of fifty sees a fiftieth of a key's rate, which may be less than the rate of a cold neighbour. The sum
 * shows which key is hot.
 *
 * Rejected: a counter for each window, which needs a conditional write to start a window; continuous reports from every
 * process, which would make the shard map hot.
 */
export class HeatReports {
  readonly #process: string

  constructor(random: Random) {
    this.#process = randomInteger(random, 0, 0xffff_ffff).toString(36)
  }

  /** The rates of the whole fleet: those of this process, and the recent reports of the others. */
  ofFleet(state: ShardState, own: KeyRates, epochSeconds: number): KeyRates {
    const latest = new Map<string, KeyRates>()
    for (const { process, rates } of recent(state, epochSeconds)) latest.set(process, rates)
    latest.set(this.#process, own)
    let offered = 0
    let accepted = 0
    for (const rates of latest.values()) {
      offered += rates.offered
      accepted += rates.accepted
    }
    return { offered, accepted }
  }

  /** The report to record now; `undefined` if this process has reported recently, or if enough others have. */
  next(state: ShardState, own: KeyRates, epochSeconds: number): RateReport | undefined {
    const fresh = recent(state, epochSeconds)
    const toldLately = fresh.some(
      ({ process, at }) => process === this.#process && epochSeconds - at < REPORT_SECONDS / 2,
    )
    if (toldLately || fresh.length >= MAX_REPORTS) return undefined
    const report = `${epochSeconds}:${this.#process}:${own.offered.toFixed(1)}:${own.accepted.toFixed(1)}`
    const isLittered = (state.fleet?.heatReports.length ?? 0) >= MAX_REPORTS
    // Two processes that replace the list concurrently may lose each other's report. It is recorded again later.
    return isLittered
      ? { kind: 'instead', reports: [...fresh.map(({ text }) => text), report] }
      : { kind: 'too', report }
  }
}

interface Report {
  readonly text: string
  readonly at: number
  readonly process: string
  readonly rates: KeyRates
}

/** The valid reports, ordered by time. Small clock differences only change how long a report is valid. */
function recent({ fleet }: ShardState, epochSeconds: number): readonly Report[] {
  return (fleet?.heatReports ?? [])
    .flatMap((text) => {
      const [, at, process, offered, accepted] = REPORT.exec(text) ?? []
      if (at === undefined || process === undefined) return []
      return [
        { text, at: Number(at), process, rates: { offered: Number(offered), accepted: Number(accepted) } },
      ]
    })
    .filter(({ at }) => Math.abs(epochSeconds - at) <= REPORT_SECONDS)
    .sort((a, b) => a.at - b.at)
}
