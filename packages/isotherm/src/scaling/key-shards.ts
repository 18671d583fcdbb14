import { IsothermError } from '../errors/isotherm-error.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { MAX_SHARDS, requireDrainRate } from '../options/shard-limits.js'
import { isChanging, readableShards, type ShardMap, type ShardState, targetCount } from '../protocol/index.js'
import type { CountChanger } from './count-changer.js'
import type { DriveOutcome } from './count-driver.js'
import type { CountDrivers } from './count-drivers.js'
import type { PassProgress } from './drain-pass.js'

/** What the shard map says of one logical key. */
export interface KeyShardsState {
  /** Shards that writers use. */
  readonly shards: number
  /** Shards that a query asks. */
  readonly readableShards: number
  /**
   * `settled`: nothing is left to do. `announced`, `moved`: the count of a calculated key changes, from `from` to `to`.
   * `retired`: a random key has lost shards that still hold items, or are back before they were drained, with items that may still be
   * on their way out of them.
   */
  readonly phase: 'settled' | 'announced' | 'moved' | 'retired'
  readonly from: number
  readonly to: number
  /** Seconds since the Unix epoch when the state was written last. */
  readonly lastUpdated: number
}

export interface DrainOptions {
  /** Capacity units a second that moving may use, 10 to 10,000. Default: `drainUnitsPerSecond` of `dynamicShards`. */
  readonly unitsPerSecond?: number
  /**
   * What becomes of the copy at the source where the target has another item of the same key (see the event
   * `two-copies`): it is kept, and the change does not settle, or discarded. Default `'keep'`.
   */
  readonly twoCopies?: 'keep' | 'discard'
  /** Ends the work, which anybody may go on with later. */
  readonly signal?: AbortSignal
  /** Told after each page of items. */
  readonly onProgress?: (progress: PassProgress) => void
}

export interface KeyShardsOptions {
  readonly table: string
  readonly key: LogicalKey
  readonly shardMap: ShardMap
  readonly changer: CountChanger
  readonly drivers: CountDrivers
  readonly unitsPerSecond: number
  readonly signal: AbortSignal
}

/** How often a change by hand is tried when other processes change the same key. */
const MAX_TRIES = 5

/**
 * The shards of one logical key, by hand.
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

  /** The state as it is now. A key that was never written has the initial count, and is not added by asking. */
  async read(): Promise<KeyShardsState | undefined> {
    const { shardMap, key } = this.#options
    const state = await shardMap.reread(key)
    return state === undefined ? undefined : shownState(state)
  }

  /**
   * Changes the count. With a random suffix writers use it from now on; with a calculated one, the change goes through its
   * phases in the background. What has to be moved is moved in the background by this process, of sixteen keys at a time, and by
   * another one if this one ends or is at sixteen already.
   *
   * @param shards 1 to 1,000; `max` of `dynamicShards` is for what happens by itself
   * @throws IsothermError `options.invalid`; `key.too-long`; `shards.changing` while the count of a calculated key changes already, or when
   * others are faster again and again
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
   * Brings what is unfinished to its end, in the place of the process that was at it: waits until no request can arrive that
   * was sent before, moves the items, and forgets the shards. It may take minutes, and may be broken off at any time.
   *
   * @returns `settled`; `overtaken` when another process, or another call in this one, has taken it over; `two-copies` when items
   * were found twice
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
    })
  }

  /**
   * Goes on with a change that another process has left, in the background, without waiting until it is noticed. Whoever is at it all the
   * same stands down; the waits begin anew.
   * @returns the state that it goes on from; `undefined` for a key that was never written
   */
  async resume(): Promise<KeyShardsState | undefined> {
    const { key, drivers } = this.#options
    const state = await drivers.resume(key)
    return state === undefined ? this.read() : shownState(state)
  }

  #changing(state: ShardState): IsothermError<'shards.changing'> {
    const { table, key } = this.#options
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
