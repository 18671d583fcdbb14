import { type Random, randomInteger } from '@isotherm/runtime'
import type { RateReport, ShardState } from '../../protocol/index.js'

/** A report counts for so long: longer than a fleet's random waits, so that the reports of one throttled spell meet. */
const REPORT_SECONDS = 30

/** Reports an item may hold, about 2 KB. More processes than that see so little each that a part of them is enough. */
const MAX_REPORTS = 100

const REPORT = /^(\d+):([0-9a-z]+):(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/

/** Write units a second. */
export interface KeyRates {
  readonly offered: number
  readonly accepted: number
}

/**
 * How hot a key is in the whole fleet, put together from what the processes tell each other in the shard map.
 *
 * One process of fifty sees a fiftieth of a key's rate, which may be less than what an innocent neighbour has. Together
 * they know. Rejected: a counter for each window, which needs a conditional write to begin a window; reports that are
 * written by everybody all the time, which would make the shard map hot.
 */
export class HeatReports {
  readonly #process: string

  constructor(random: Random) {
    this.#process = randomInteger(random, 0, 0xffff_ffff).toString(36)
  }

  /** What the fleet does with the key: this process, and the others as they reported lately. */
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

  /** What this process shall tell now; `undefined` when it has done so lately, or enough others have. */
  next(state: ShardState, own: KeyRates, epochSeconds: number): RateReport | undefined {
    const fresh = recent(state, epochSeconds)
    const toldLately = fresh.some(
      ({ process, at }) => process === this.#process && epochSeconds - at < REPORT_SECONDS / 2,
    )
    if (toldLately || fresh.length >= MAX_REPORTS) return undefined
    const report = `${epochSeconds}:${this.#process}:${own.offered.toFixed(1)}:${own.accepted.toFixed(1)}`
    const isLittered = (state.fleet?.heatReports.length ?? 0) >= MAX_REPORTS
    // Two processes that clear at a time may lose each other's report. It is told again.
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

/** In order of time. Clocks that differ by a little only shorten or lengthen the time that a report counts for. */
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
