import type { Clock } from '@isotherm/runtime'
import { type Random, randomInteger } from '@isotherm/runtime'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { DynamicShards } from '../options/shards.js'
import type { KeyHeat } from '../sensing/key-heat.js'
import { offeredUnitsPerSecond } from '../sensing/own-evidence.js'
import { unfinished } from '../shard-map/count-change.js'
import type { ShardMap } from '../shard-map/shard-map.js'
import type { ShardMapStore } from '../shard-map/shard-map-store.js'
import { countChangedAt, type ShardState } from '../shard-map/shard-state.js'
import type { CountChanger } from './count-changer.js'

/** A key below this share of what its shards carry is quiet: half of them will carry it at a quarter of their limit. */
const QUIET_SHARE = 1 / 8

/** The quiet time has so many parts, in each of which a busy fleet says so about once. */
const VOTES = 10

/** Keys that this process is about to shrink at a time. */
const MAX_FLIGHTS = 16

export interface ShrinkerOptions {
  readonly shards: DynamicShards
  readonly quietMilliseconds: number
  /** How often the shard map is read for a key that is used, about. */
  readonly readMilliseconds: number
  readonly shardMap: ShardMap
  /** Where processes leave word for each other. */
  readonly store: Pick<ShardMapStore, 'tellBusy'>
  readonly changer: CountChanger
  readonly heat: KeyHeat
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  readonly onFailed: (error: unknown) => void
}

/**
 * Takes shards from a key that was quiet for a long time.
 *
 * That this process is quiet says little of its fleet. So processes vote: one that writes says "busy" in the shard map with a
 * probability in proportion to what it writes, such that a fleet at the limit says so about ten times in the quiet time,
 * however many processes share the traffic, and a quiet one next to never. The chance that a fleet at the limit is
 * taken for quiet is e^-10, at half the limit e^-5; and a key that lost shards too early gets them back when it is throttled.
 */
export class Shrinker {
  readonly #options: ShrinkerOptions
  readonly #flights = new Set<string>()

  constructor(options: ShrinkerOptions) {
    this.#options = options
  }

  /** The shard map was read for a key that is used. Never throws. */
  noticed(key: LogicalKey, state: ShardState): void {
    const { shards } = this.#options
    if (state.shards <= shards.initial || unfinished(state) !== undefined) return
    const silence = this.#silence(state)
    if (silence < this.#voteMilliseconds()) return
    if (this.#votesBusy(key, state)) this.#inBackground(key, () => this.#options.store.tellBusy(key))
    else if (silence >= this.#options.quietMilliseconds) this.#inBackground(key, () => this.#shrink(key))
  }

  async #shrink(key: LogicalKey): Promise<void> {
    const { shards, shardMap, changer, clock, random, quietMilliseconds, signal } = this.#options
    const [from, to] = shards.jitterMilliseconds
    await clock.sleep(
      randomInteger(random, Math.ceil(from), Math.max(Math.ceil(from), Math.floor(to))),
      signal,
    )
    const state = await shardMap.reread(key)
    if (state === undefined || unfinished(state) !== undefined) return
    if (this.#silence(state) < quietMilliseconds || state.shards <= shards.initial) return
    await changer.change(key, state, Math.max(shards.initial, Math.floor(state.shards / 2)), 'quiet')
  }

  #votesBusy(key: LogicalKey, state: ShardState): boolean {
    const { heat, shards, readMilliseconds, random } = this.#options
    const report = heat.report(key)
    if (report === undefined) return false
    const limit = state.shards * shards.partitionUnitsPerSecond * QUIET_SHARE
    const busy = offeredUnitsPerSecond(report) / limit
    return busy >= 1 || random.next() < (busy * readMilliseconds) / this.#voteMilliseconds()
  }

  /** How long nobody has found the key busy, nor changed its count. */
  #silence(state: ShardState): number {
    const since = Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0)
    return this.#options.clock.now() - since * 1_000
  }

  #voteMilliseconds(): number {
    return this.#options.quietMilliseconds / VOTES
  }

  #inBackground(key: LogicalKey, work: () => Promise<void>): void {
    const text = keyText(key)
    if (this.#flights.has(text) || this.#flights.size >= MAX_FLIGHTS) return
    this.#flights.add(text)
    work()
      .catch((error: unknown) => {
        if (!this.#options.signal.aborted) this.#options.onFailed(error)
      })
      .finally(() => this.#flights.delete(text))
  }
}
