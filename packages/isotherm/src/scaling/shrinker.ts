import { randomInteger } from '@isotherm/runtime'
import type { LogicalKey } from '../keys/key.js'
import {
  isUnfinished,
  type MovingTable,
  type ShardMap,
  type ShardMapStore,
  silenceOf,
  type TableCards,
} from '../protocol/index.js'
import { ComingDown } from './coming-down/coming-down.js'
import { memoryOfPeak } from './coming-down/last-peak.js'
import type { MoveCostReader } from './coming-down/move-costs.js'
import type { CountChanger } from './count-changer.js'
import type { ScalingOptions } from './scaling-options.js'

/**
 * A quiet key keeps a quarter of its shards. It uses less than an eighth of what they carry, so they are at most half full
 * then. Fewer steps move fewer items: each step moves items that an earlier one may have moved already.
 */
const KEPT_SHARE = 1 / 4

export interface ShrinkerOptions {
  readonly table: MovingTable
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  readonly cards: Pick<TableCards, 'peek'> | undefined
  readonly store: Pick<ShardMapStore, 'sign'>
  readonly changer: CountChanger
  readonly costs: MoveCostReader
  readonly signal: AbortSignal
}

/** Lowers the shard count of a key that was quiet for a long time (see `QuietWatch`), where that pays (see `ComingDown`). */
export class Shrinker {
  readonly #options: ShrinkerOptions
  readonly #comingDown: ComingDown

  constructor(options: ShrinkerOptions) {
    this.#options = options
    this.#comingDown = new ComingDown(options)
  }

  /** Shrinks the key after a random delay, if it is still quiet according to the shard map. */
  async shrink(key: LogicalKey): Promise<void> {
    const { table, shards, shardMap, store, changer, signal } = this.#options
    const { clock, random } = table
    const { quietMilliseconds = Number.POSITIVE_INFINITY } = shards
    const [from, to] = shards.jitterMilliseconds
    await clock.sleep(
      randomInteger(random, Math.ceil(from), Math.max(Math.ceil(from), Math.floor(to))),
      signal,
      { mayEndProcess: true },
    )
    const state = await shardMap.reread(key)
    if (state === undefined || isUnfinished(state)) return
    const initial = this.#initial()
    if (silenceOf(state, clock.now()) < quietMilliseconds || state.shards <= initial) return
    const kept = Math.max(initial, Math.ceil(state.shards * KEPT_SHARE))
    const isRemoved = await this.#comingDown.decide(
      key,
      state,
      kept,
      async () => (await changer.change(key, state, kept, 'quiet')) !== undefined,
    )
    const memory = isRemoved && memoryOfPeak(state)
    if (memory) await store.sign(key, memory)
  }

  /** That of the card: the table may have been migrated since the options of this process were written. */
  #initial(): number {
    const { cards, shards } = this.#options
    const card = cards?.peek()
    return card === undefined ? shards.initial : (card.migration?.to ?? card.initial.shards)
  }
}
