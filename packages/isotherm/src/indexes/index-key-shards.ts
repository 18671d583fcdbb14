import { IsothermError } from '../errors/isotherm-error.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { requireInteger } from '../options/check.js'
import { MAX_SHARDS } from '../options/shard-limits.js'
import {
  isChanging,
  readableShards,
  resize,
  ShardMapStore,
  type ShardState,
  type ShardViews,
} from '../protocol/index.js'
import type { ScaledTable } from '../scaling/key-counts.js'
import { plainIndexKey } from './index-key.js'

/** The shards of one key value of an index. */
export interface IndexKeyShardsState {
  /** The number of shards that writes use. */
  readonly shards: number
  /** The number of shards that a query reads: the highest number that was ever in use. */
  readonly readableShards: number
  /** When the state was last written, in seconds since the Unix epoch. */
  readonly lastUpdated: number
}

/** The number of attempts at a manual change while other processes change the same key. */
const MAX_TRIES = 5

/**
 * Manual control of the shards of one key value of an index. `db.shards(table, value, { index })` returns it.
 *
 * @example
 * const shards = db.shards('files', 'open', { index: 'by_status' })
 * await shards.set(16) // before the bulk registration
 */
export class IndexKeyShards {
  readonly #table: ScaledTable
  readonly #store: ShardMapStore
  readonly #views: ShardViews
  readonly #key: LogicalKey
  readonly #index: string

  /** @internal */
  constructor(table: ScaledTable, views: ShardViews, key: LogicalKey, index: string) {
    this.#table = table
    this.#store = new ShardMapStore(table)
    this.#views = views
    this.#key = key
    this.#index = index
  }

  /**
   * Reads the current state from the shard map. Reading does not add the value to the shard map.
   * @returns `undefined` if no item with the value was ever written, so that it has the initial count
   */
  async read(): Promise<IndexKeyShardsState | undefined> {
    const state = await this.#store.read(this.#key)
    return state && shownState(state)
  }

  /**
   * Changes the number of shards that writes use. Items stay where they are, so queries continue to read every shard
   * that was ever in use, and a lower number does not make them cheaper. Other processes use the new number within
   * `cacheTtl`.
   *
   * @param shards 1 to 1,000. `max` of `dynamicShards` limits only automatic changes.
   * @returns the new state
   * @throws IsothermError `options.invalid`; `shards.changing` if other processes keep changing the value's count
   */
  async set(shards: number): Promise<IndexKeyShardsState> {
    requireInteger('shards.set(count)', shards, 1, MAX_SHARDS)
    const { clock, emit, options } = this.#table
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      await this.#views.forWrite(this.#key)
      const state = await this.#store.read(this.#key)
      if (state === undefined || isChanging(state)) continue
      if (state.shards === shards) return shownState(state)
      const next = resize(state, shards, Math.floor(clock.now() / 1_000))
      if (!(await this.#store.replace(this.#key, state, next))) continue
      // This process uses the new count at once.
      await this.#views.viewNow(this.#key)
      const { name: table } = options
      const [from, to, at] = [state.shards, shards, clock.now()]
      emit({ type: 'scaled', table, logicalKey: plainKey(this.#key), from, to, reason: 'set', at })
      return shownState(next)
    }
    const logicalKey = plainIndexKey(this.#key)
    throw new IsothermError(
      'shards.changing',
      `The count of a value of the index ${this.#index} of ${options.name} is being changed by other processes. Try again.`,
      { table: options.name, logicalKey },
    )
  }
}

function shownState(state: ShardState): IndexKeyShardsState {
  const { shards, lastUpdated } = state
  return { shards, readableShards: readableShards(state), lastUpdated }
}
