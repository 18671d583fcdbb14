import { reasonWhenAborted } from '../attempts/reason-when-aborted.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { MAX_SHARDS, requireDrainRate } from '../options/shard-limits.js'
import {
  isChanging,
  type MovingTable,
  readableShards,
  type ShardMap,
  type ShardState,
  targetCount,
} from '../protocol/index.js'
import type { MoveCostReader } from './coming-down/move-costs.js'
import { type ShrinkPrice, shrinkPrice } from './coming-down/shrink-price.js'
import type { CountChanger } from './count-changer.js'
import type { DriveOutcome } from './count-driver.js'
import type { CountDrivers } from './count-drivers.js'
import type { PassProgress } from './drain-pass.js'

/** The state of one logical key in the shard map. */
export interface KeyShardsState {
  /** The number of shards that writes use. */
  readonly shards: number
  /** The number of shards that a query reads. */
  readonly readableShards: number
  /**
   * The phase of the last change:
   * - `settled`: the change is complete.
   * - `announced`, `moved`, `draining`: the count of a key with a calculated suffix is changing, from `from` to `to`.
   *   Items move in `moved` and `draining`.
   * - `retired`: a key with a random suffix has lost shards that are not drained yet and may hold items. This includes
   *   shards that are in use again before their drain ended, so that items may still be moved out of them.
   */
  readonly phase: 'settled' | 'announced' | 'moved' | 'draining' | 'retired'
  /** The count before the change. When no count of a calculated suffix is changing, equal to `readableShards`. */
  readonly from: number
  /** The count after the change. */
  readonly to: number
  /** When the state was last written, in seconds since the Unix epoch. */
  readonly lastUpdated: number
}

/** Options of `drain`. */
export interface DrainOptions {
  /**
   * The capacity units per second that moving items may use, 10 to 10,000. Default: `drainUnitsPerSecond` of
   * `dynamicShards`.
   */
  readonly unitsPerSecond?: number | undefined
  /**
   * How to handle an item whose target shard has another item with the same primary key (see the event `two-copies`).
   * `'keep'` leaves the copy in the source shard, and the change does not settle. `'discard'` deletes that copy.
   * Default `'keep'`.
   */
  readonly twoCopies?: 'keep' | 'discard' | undefined
  /** Stops the work. Any process can resume it later. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items, and when the work is stopped within a page. */
  readonly onProgress?: ((progress: PassProgress) => void) | undefined
}

/** Options of `price`. */
export interface PriceOfShardsOptions {
  /** The capacity units per second that counting may use, as for `drain`. */
  readonly unitsPerSecond?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface KeyShardsOptions {
  readonly table: MovingTable
  readonly costs: MoveCostReader
  readonly key: LogicalKey
  readonly shardMap: ShardMap
  readonly changer: CountChanger
  readonly drivers: CountDrivers
  readonly unitsPerSecond: number | undefined
  readonly signal: AbortSignal
}

/** The number of attempts at a manual change while other processes change the same key. */
const MAX_TRIES = 5

/**
 * Manual control of the shards of one logical key. `db.shards(table, key)` returns it.
 *
 * @example
 * const shards = db.shards('audit_log', '/sale')
 * await shards.set(16) // before the sale
 * await shards.set(1) // after it
 * await shards.drain({ unitsPerSecond: 500, onProgress: ({ moved }) => console.log(moved) })
 */
export class KeyShards {
  readonly #options: KeyShardsOptions

  /** @internal */
  constructor(options: KeyShardsOptions) {
    this.#options = options
  }

  /**
   * Reads the current state from the shard map. Reading does not add the key to the shard map.
   * @returns `undefined` if the key was never hot and its count never set, so that it has the initial count
   */
  async read(): Promise<KeyShardsState | undefined> {
    const { shardMap, key } = this.#options
    const state = await shardMap.reread(key)
    return state === undefined ? undefined : shownState(state)
  }

  /**
   * Changes the shard count. With a random suffix, writes use the new count immediately. With a calculated suffix, the
   * change goes through its phases in the background.
   *
   * This process moves the items in the background, for at most 16 keys concurrently. If it ends, or is already at 16
   * keys, another process moves them.
   *
   * @param shards 1 to 1,000. `max` of `dynamicShards` limits only automatic changes.
   * @returns the new state
   * @throws IsothermError `options.invalid`; `key.too-long`; `shards.changing` if the count of a key with a calculated
   * suffix is already changing, or if other processes keep changing the key; `table.unfit` in a global table whose options do
   * not allow the change
   */
  async set(shards: number): Promise<KeyShardsState> {
    requireInteger('shards.set(count)', shards, 1, MAX_SHARDS)
    const { shardMap, key, changer } = this.#options
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const state = await shardMap.ensure(key)
      if (isChanging(state)) throw this.#changing(state)
      if (state.shards === shards) return shownState(state)
      const changed = await changer.change(key, state, shards, 'set')
      if (changed !== undefined) return shownState(changed)
    }
    throw this.#changing(await shardMap.ensure(key))
  }

  /**
   * Counts the items that `set(shards)` would move, and returns what that costs and saves. Changes nothing. It reads the shards
   * that would be removed once, eventually consistent, which costs about half a percent of the move.
   *
   * With the present count, it is the price of the drain that is left.
   *
   * @param shards 1 to the present count
   * @returns `undefined` if the key has no item in the shard map, and so the initial count
   * @throws IsothermError `options.invalid` or `options.unknown`; `shards.changing` while the count of a key with a calculated
   * suffix is changing; the signal's reason when it aborts
   * @example
   * const price = await db.shards('audit_log', '/sale').price(1)
   * console.log(price?.items, price?.writeUnits, price?.paysAfterDays)
   */
  async price(shards: number, options: PriceOfShardsOptions = {}): Promise<ShrinkPrice | undefined> {
    refuseUnknown('shards.price', options, ['unitsPerSecond', 'signal'])
    const { table, key, shardMap, costs, unitsPerSecond, signal } = this.#options
    const rate = requireDrainRate('shards.price.unitsPerSecond', options.unitsPerSecond ?? unitsPerSecond)
    requireInteger('shards.price(count)', shards, 1, MAX_SHARDS)
    const state = await shardMap.reread(key)
    if (state === undefined) return undefined
    if (isChanging(state)) throw this.#changing(state)
    requireInteger('shards.price(count)', shards, 1, state.shards)
    const either = options.signal === undefined ? signal : AbortSignal.any([options.signal, signal])
    const price = { to: shards, costs, unitsPerSecond: rate, signal: either }
    return reasonWhenAborted(either, shrinkPrice(table, key, state, price))
  }

  /**
   * Completes an unfinished change, and waits for the result. If another process is working on the change, this call
   * takes it over.
   *
   * It waits until no earlier request can arrive, moves the items, and removes the old shards from the shard map. This
   * can take minutes. You can interrupt it at any time.
   *
   * @returns `settled` if the change is complete; `overtaken` if another process, or another call in this process, has
   * taken it over; `two-copies` if some items exist in two shards
   * @throws IsothermError `options.invalid` or `options.unknown`; the signal's reason when it aborts
   */
  async drain(options: DrainOptions = {}): Promise<DriveOutcome> {
    refuseUnknown('shards.drain', options, ['unitsPerSecond', 'twoCopies', 'signal', 'onProgress'])
    const { key, drivers } = this.#options
    const { twoCopies = 'keep', signal = this.#options.signal, onProgress = () => {} } = options
    if (twoCopies !== 'keep' && twoCopies !== 'discard') {
      throw invalidOption('shards.drain.twoCopies', twoCopies, "'keep' or 'discard'")
    }
    return drivers.driveNow(key, {
      unitsPerSecond: requireDrainRate(
        'shards.drain.unitsPerSecond',
        options.unitsPerSecond ?? this.#options.unitsPerSecond,
      ),
      discards: twoCopies === 'discard',
      signal,
      onProgress,
      isInBackground: false,
    })
  }

  /**
   * Resumes an unfinished change of another process in the background, without waiting until this process detects that
   * it was abandoned. Any process still working on the change stops. The waits of the change start again.
   *
   * @returns the state from which the change resumes, or the current state if it does not resume; `undefined` for a key
   * without an item in the shard map
   */
  async resume(): Promise<KeyShardsState | undefined> {
    const { key, drivers } = this.#options
    const state = await drivers.resume(key)
    return state === undefined ? this.read() : shownState(state)
  }

  #changing(state: ShardState): IsothermError<'shards.changing'> {
    const { key } = this.#options
    const table = this.#options.table.options.name
    const logicalKey = plainKey(key)
    return new IsothermError(
      'shards.changing',
      `The count of a key of ${table} is being changed${isChanging(state) ? ` from ${state.from} to ${state.to}` : ''}; it changes once at a time. ` +
        'Wait until it has settled, or bring it to its end with drain().',
      { table, logicalKey },
    )
  }
}

function shownState(state: ShardState): KeyShardsState {
  const { shards, phase, lastUpdated } = state
  const readable = readableShards(state)
  return {
    shards,
    readableShards: readable,
    phase,
    from: isChanging(state) ? state.from : readable,
    to: targetCount(state),
    lastUpdated,
  }
}
