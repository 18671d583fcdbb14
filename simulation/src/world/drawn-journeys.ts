import type { Random } from '@isotherm/runtime'
import type { Faults } from './faults.js'
import { type Attempt, type Fate, type Journey, type Journeys, READS, WRITES } from './journey.js'
import type { Process } from './process.js'

/** Milliseconds of the world. */
interface Outage {
  readonly from: number
  readonly until: number
}

/** Journeys by chance. */
export class DrawnJourneys implements Journeys {
  readonly #random: Random
  readonly #outages = new WeakMap<Process, Outage>()
  faults: Faults

  constructor(random: Random, faults: Faults) {
    this.#random = random
    this.faults = faults
  }

  begin({ process, operation, input, at }: Attempt): Journey {
    const { timeoutMilliseconds, batchSpreadMilliseconds: spread, latestMilliseconds } = this.faults
    const fate = this.#isOut(process, input, at) ? '500 before' : this.#fate(operation, input)
    const delay = () => this.#delay(fate)
    const isSlow = this.#isSlow(operation, input)
    return {
      fate,
      timeoutMilliseconds,
      isSpread: spread > 0,
      delayMilliseconds: delay,
      answerMilliseconds: () => delay() + (isSlow ? this.faults.slowMilliseconds * this.#random.next() : 0),
      partMilliseconds: (_part, arrivedAt) =>
        Math.min(arrivedAt + spread * this.#random.next(), at + latestMilliseconds) - arrivedAt,
    }
  }

  /** One draw decides, so that a fault that is switched off leaves the others where they are. */
  #fate(operation: string, input: object): Fate {
    const { lostRequests, lostReplies, lateRequests, serverErrors, conflicts, throttledReads } = this.faults
    let left = this.#random.next()
    const falls = (share: number) => {
      left -= share
      return left < 0
    }
    if (falls(lostRequests)) return 'request lost'
    if (falls(lostReplies)) return 'reply lost'
    if (falls(lateRequests)) return 'late'
    if (falls(serverErrors / 2)) return '500 before'
    if (falls(serverErrors / 2)) return '500 after'
    if (falls(conflicts)) return WRITES.has(operation) && !isOfShardMap(input) ? 'conflict' : 'arrives'
    if (falls(throttledReads) && READS.has(operation)) return 'throttled'
    return 'arrives'
  }

  /** Half of the late requests, where any may be. Draws nothing elsewhere, so that other runs stay what they were. */
  #isBeyond(): boolean {
    return this.faults.beyondBound > 0 && this.#random.next() < 0.5
  }

  /** Whether the shard map answers no request of the process. Others may reach it meanwhile, as where one of them lacks a permission. */
  #isOut(process: Process, input: object, now: number): boolean {
    const { outageIntervalMilliseconds: interval, outageMilliseconds: most } = this.faults
    if (!Number.isFinite(interval) || !isOfShardMap(input)) return false
    let outage = this.#outages.get(process)
    if (outage === undefined || outage.until <= now) {
      const from = now - interval * Math.log(1 - this.#random.next())
      outage = { from, until: from + most * this.#random.next() }
      this.#outages.set(process, outage)
    }
    return outage.from <= now
  }

  #isSlow(operation: string, input: object): boolean {
    const { slowShardMapReads } = this.faults
    return (
      slowShardMapReads > 0 &&
      READS.has(operation) &&
      isOfShardMap(input) &&
      this.#random.next() < slowShardMapReads
    )
  }

  /** Mostly about the usual, now and then a multiple of it, so that requests overtake each other. */
  #delay(fate: Fate): number {
    const { delayMilliseconds, latestMilliseconds, beyondBound } = this.faults
    const draw = this.#random.next()
    if (fate === 'late')
      return latestMilliseconds * (this.#isBeyond() ? 1 + draw * beyondBound : 0.5 + draw / 2)
    return Math.min(latestMilliseconds, -delayMilliseconds * Math.log(1 - draw))
  }
}

/** No transaction ever has an item of a shard map, so nothing is in its way. */
function isOfShardMap(input: object): boolean {
  return (input as { readonly TableName?: string }).TableName?.endsWith('_shard_map') === true
}
