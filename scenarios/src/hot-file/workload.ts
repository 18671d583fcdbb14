import type { Random } from '@isotherm/runtime'
import { ScenarioError } from '../scenario-error.js'
import type { AccessLog, AccessRequest } from './access-log.js'
import { totalSeconds, viralRateAt, type WorkloadParameters } from './workload-parameters.js'

/** One entry of the audit trail: a request of the log, at its time in the looped log. */
export interface AuditEntry {
  readonly request: AccessRequest
  /** ISO time and sequence number, so that the sort key is unique and sorts in time order. */
  readonly accessedAt: string
}

/** The interval between sends. Shorter ticks cost timers; longer ones send visible bursts. */
export const TICK_MILLISECONDS = 10

const SEQUENCE_DIGITS = 9

/**
 * The writes of the run, tick by tick: the log's own requests, looped, and the viral file's in addition. Arrivals are
 * random (Poisson), like those of independent visitors; a given seed always yields the same entries in the same ticks.
 */
export class Workload {
  readonly ticks: number
  readonly viralPath: string
  readonly #log: AccessLog
  readonly #viralRequests: readonly AccessRequest[]
  readonly #parameters: WorkloadParameters
  readonly #random: Random
  #next = 0
  #nextViral = 0
  #sequence = 0
  #newestEpochSeconds = 0

  /** @throws ScenarioError `workload.unknown-path` when the log has no request for `viralPath` */
  constructor(log: AccessLog, parameters: WorkloadParameters, random: Random, viralPath = log.busiestPath) {
    this.#log = log
    this.#parameters = parameters
    this.#random = random
    this.viralPath = viralPath
    this.#viralRequests = log.requests.filter(({ path }) => path === viralPath)
    if (this.#viralRequests.length === 0) {
      throw new ScenarioError(
        'workload.unknown-path',
        `The access log has no request for '${viralPath}'; name a path that it has, such as '${log.busiestPath}'.`,
      )
    }
    this.ticks = Math.ceil((totalSeconds(parameters) * 1_000) / TICK_MILLISECONDS)
    this.#newestEpochSeconds = log.requests[0]?.epochSeconds ?? 0
  }

  /** The entries of the tick that begins `tick * 10` ms after the start. Each tick must be requested once, in order. */
  entriesOf(tick: number): AuditEntry[] {
    const tickSeconds = TICK_MILLISECONDS / 1_000
    const viralRate = viralRateAt(this.#parameters, tick * tickSeconds)
    const rate = this.#parameters.baseWritesPerSecond + viralRate
    const entries: AuditEntry[] = []
    for (let left = arrivals(rate * tickSeconds, this.#random); left > 0; left--) {
      const viral = this.#random.next() * rate < viralRate
      entries.push(viral ? this.#viralEntry() : this.#logEntry())
    }
    return entries
  }

  #logEntry(): AuditEntry {
    const { requests, spanSeconds } = this.#log
    const request = requests[this.#next % requests.length] as AccessRequest
    const loop = Math.floor(this.#next / requests.length)
    this.#next++
    this.#newestEpochSeconds = request.epochSeconds + loop * spanSeconds
    return this.#entry(request)
  }

  /** Viral requests come between those of the log, so they have the current time of the log. */
  #viralEntry(): AuditEntry {
    const request = this.#viralRequests[this.#nextViral % this.#viralRequests.length] as AccessRequest
    this.#nextViral++
    return this.#entry(request)
  }

  #entry(request: AccessRequest): AuditEntry {
    const time = new Date(this.#newestEpochSeconds * 1_000).toISOString()
    const sequence = String(this.#sequence++).padStart(SEQUENCE_DIGITS, '0')
    return { request, accessedAt: `${time}#${sequence}` }
  }
}

/**
 * A Poisson-distributed number of arrivals, by Knuth's multiplication of uniform numbers, in steps that are small
 * enough for the precision of `Math.exp`.
 */
function arrivals(mean: number, random: Random): number {
  let count = 0
  for (let rest = mean; rest > 0; rest -= MAX_STEP) count += arrivalsOfStep(Math.min(rest, MAX_STEP), random)
  return count
}

const MAX_STEP = 30

function arrivalsOfStep(mean: number, random: Random): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random.next(); product > limit; product *= random.next()) count++
  return count
}
