import type { Clock, Random } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../keys/key.js'
import { isUnfinished, type ShardMapStore, type ShardState, silenceOf } from '../protocol/index.js'
import { KeyFlights } from './key-flights.js'
import type { ScalingOptions } from './scaling-options.js'
import type { KeyHeat } from './sensing/key-heat.js'
import { offeredUnitsPerSecond } from './sensing/own-evidence.js'

/** A key below this share of what its shards carry is quiet: half of them will carry it at a quarter of their limit. */
const QUIET_SHARE = 1 / 8

/** The quiet time has so many parts, in each of which a busy fleet says so about once. */
const VOTES = 10

/** Keys that this process votes for, or is about to shrink, at a time. */
const MAX_FLIGHTS = 16

export interface QuietWatchOptions {
  readonly shards: ScalingOptions
  readonly quietMilliseconds: number
  /** How often the shard map is read for a key that is used, about. */
  readonly readMilliseconds: number
  /** Where processes leave word for each other. */
  readonly store: Pick<ShardMapStore, 'tellBusy'>
  readonly heat: KeyHeat
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  /** Hears of keys that were quiet for their whole time; left out where this process takes no shards away. */
  readonly onQuiet: ((key: LogicalKey) => Promise<void>) | undefined
  readonly onFailed: (error: unknown) => void
}

/**
 * Tells which keys were quiet for a long time.
 *
 * That this process is quiet says little of its fleet. So processes vote: one that writes says "busy" in the shard map with a
 * probability in proportion to what it writes, such that a fleet at the limit says so about ten times in the quiet time,
 * however many processes share the traffic, and a quiet one next to never. The chance that a fleet at the limit is
 * taken for quiet is e^-10, at half the limit e^-5; and a key that lost shards too early gets them back when it is throttled.
 *
 * A process that takes no shards away votes all the same: others would take its writes for silence.
 */
export class QuietWatch {
  readonly #options: QuietWatchOptions
  readonly #flights: KeyFlights

  constructor(options: QuietWatchOptions) {
    this.#options = options
    this.#flights = new KeyFlights({ ...options, max: MAX_FLIGHTS })
  }

  /** The shard map was read for a key that is used. Never throws. */
  noticed(key: LogicalKey, state: ShardState): void {
    const { shards, store, clock, quietMilliseconds, onQuiet } = this.#options
    if (state.shards <= shards.initial || isUnfinished(state)) return
    const silence = silenceOf(state, clock.now())
    if (silence < this.#voteMilliseconds()) return
    const text = keyText(key)
    if (this.#votesBusy(key, state)) this.#flights.begin(text, () => store.tellBusy(key))
    else if (onQuiet !== undefined && /* mark: quiet-key-shrinks */ silence >= quietMilliseconds) {
      this.#flights.begin(text, () => onQuiet(key))
    }
  }

  #votesBusy(key: LogicalKey, state: ShardState): boolean {
    const { heat, shards, readMilliseconds, random } = this.#options
    const report = heat.report(key)
    if (report === undefined) return false
    const limit = state.shards * shards.partitionUnitsPerSecond * QUIET_SHARE
    const busy = offeredUnitsPerSecond(report) / limit
    return busy >= 1 || random.next() < (busy * readMilliseconds) / this.#voteMilliseconds()
  }

  #voteMilliseconds(): number {
    return this.#options.quietMilliseconds / VOTES
  }
}
