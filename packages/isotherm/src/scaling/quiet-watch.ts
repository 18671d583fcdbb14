import type { Clock, Random } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../keys/key.js'
import { isUnfinished, type ShardMapStore, type ShardState, silenceOf } from '../protocol/index.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingOptions } from './scaling-options.js'
import type { FanOutReads } from './sensing/fan-out-reads.js'
import type { KeyHeat } from './sensing/key-heat.js'
import { isDueForDecision, quietReadsOf, quietReport } from './sensing/quiet-reads.js'

/** Below this share of its shards' limit, a key is quiet. Half of the shards would then be at a quarter of their limit. */
const QUIET_SHARE = 1 / 8

/** The expected number of votes during the quiet period from a fleet at the limit. */
const VOTES = 10

/** The maximum number of keys that this process votes for or shrinks concurrently. */
const MAX_FLIGHTS = 16

export interface QuietWatchOptions {
  readonly shards: ScalingOptions
  readonly quietMilliseconds: number
  /** The approximate interval at which the shard map is read for a key in use. */
  readonly readMilliseconds: number
  /** The shard map, where processes record their votes. */
  readonly store: Pick<ShardMapStore, 'tellBusy' | 'sign'>
  readonly heat: Pick<KeyHeat, 'report'>
  readonly reads: FanOutReads
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  /** Called for keys that were quiet for the whole period. `undefined` if this process removes no shards. */
  readonly onQuiet: ((key: LogicalKey) => Promise<void>) | undefined
  readonly onFailed: (error: unknown) => void
}

/**
 * Detects keys that were quiet for a long time.
 *
 * One process cannot know whether the others use a key, so processes vote. A process that writes records "busy" in the
 * shard map, with a probability in proportion to its write rate. A fleet at the limit votes about ten times during the
 * quiet period, however many processes share the traffic. A quiet fleet almost never votes.
 *
 * The probability that a fleet at the limit is considered quiet is e^-10, and e^-5 at half the limit. A key that loses
 * shards too early gets them back when it is throttled.
 *
 * While a key is quiet, the processes also report what they pay for reading all its shards (`quietReport`). The decision to
 * remove shards rests on the sum.
 *
 * A process that removes no shards votes, too. Otherwise the others would consider its keys quiet.
 */
export class QuietWatch {
  readonly #options: QuietWatchOptions
  readonly #flights: KeyFlights

  constructor(options: QuietWatchOptions) {
    this.#options = options
    this.#flights = new KeyFlights({ ...options, max: MAX_FLIGHTS })
  }

  /** Handles a read of the shard map for a key in use. Never throws. */
  noticed(key: LogicalKey, state: ShardState): void {
    const { shards, store, clock, quietMilliseconds, onQuiet, reads } = this.#options
    const readUnits = reads.take(key) * state.shards
    if (state.shards <= shards.initial || isUnfinished(state)) return
    const silence = silenceOf(state, clock.now())
    if (silence < this.#voteMilliseconds()) return
    const text = keyText(key)
    if (this.#votesBusy(key, state)) this.#flights.begin(text, () => store.tellBusy(key))
    else if (
      onQuiet !== undefined &&
      /* mark: quiet-key-shrinks */ silence >= quietMilliseconds &&
      this.#isDue(state)
    ) {
      this.#flights.begin(text, () => onQuiet(key))
    } else this.#report(key, state, readUnits)
  }

  /** Whether the reads of the key are enough for a decision, so that not every look at a quiet key makes one. */
  #isDue(state: ShardState): boolean {
    if (this.#options.shards.shrink === 'always') return true
    const reads = quietReadsOf(state)
    return reads !== undefined && isDueForDecision(reads)
  }

  #report(key: LogicalKey, state: ShardState, readUnits: number): void {
    const { shards, store, clock, random } = this.#options
    if (readUnits === 0 || shards.shrink === 'always') return
    const epochSeconds = Math.floor(clock.now() / 1_000)
    const report = quietReport(state, readUnits, { random, epochSeconds })
    if (report !== undefined) {
      this.#flights.begin(keyText(key), async () => {
        await store.sign(key, report)
      })
    }
  }

  #votesBusy(key: LogicalKey, state: ShardState): boolean {
    const { heat, shards, readMilliseconds, random } = this.#options
    const report = heat.report(key)
    if (report === undefined) return false
    const limit = state.shards * shards.partitionUnitsPerSecond * QUIET_SHARE
    const busy = report.offeredUnits / report.windowSeconds / limit
    return busy >= 1 || random.next() < (busy * readMilliseconds) / this.#voteMilliseconds()
  }

  #voteMilliseconds(): number {
    return this.#options.quietMilliseconds / VOTES
  }
}
