import { randomInteger } from '@isotherm/runtime'
import type { LogicalKey } from '../keys/key.js'
import { isUnfinished, type MovingTable, type ShardMap, silenceOf } from '../protocol/index.js'
import type { CountChanger } from './count-changer.js'
import type { ScalingOptions } from './scaling-options.js'

export interface ShrinkerOptions {
  readonly table: Pick<MovingTable, 'clock' | 'random'>
  readonly shards: ScalingOptions
  readonly shardMap: ShardMap
  readonly changer: CountChanger
  readonly signal: AbortSignal
}

/** Halves the shard count of a key that was quiet for a long time (see `QuietWatch`). */
export class Shrinker {
  readonly #options: ShrinkerOptions

  constructor(options: ShrinkerOptions) {
    this.#options = options
  }

  /** Shrinks the key after a random delay, if it is still quiet according to the shard map. */
  async shrink(key: LogicalKey): Promise<void> {
    const { table, shards, shardMap, changer, signal } = this.#options
    const { clock, random } = table
    const { quietMilliseconds = Number.POSITIVE_INFINITY } = shards
    const [from, to] = shards.jitterMilliseconds
    await clock.sleep(
      randomInteger(random, Math.ceil(from), Math.max(Math.ceil(from), Math.floor(to))),
      signal,
    )
    const state = await shardMap.reread(key)
    if (state === undefined || isUnfinished(state)) return
    if (silenceOf(state, clock.now()) < quietMilliseconds || state.shards <= shards.initial) return
    await changer.change(key, state, Math.max(shards.initial, Math.floor(state.shards / 2)), 'quiet')
  }
}
