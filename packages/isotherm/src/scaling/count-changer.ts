import type { ScalingReason } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import {
  type AtRest,
  isUnfinished,
  type MovingTable,
  resize,
  type ShardMap,
  type ShardState,
  type Unfinished,
} from '../protocol/index.js'

/** Brings changes of counts to their end in the background. */
interface Drivers {
  /** The state that a change begins with: at once the new count with a random suffix, a phase with a calculated one. */
  firstStep(state: AtRest, to: number, epochSeconds: number): ShardState
  /** Drives on from a state that this process has just written. */
  begin(key: LogicalKey, state: Unfinished): void
}

/** Gives a key another count: at once with a random suffix, in phases with a calculated one. */
export class CountChanger {
  readonly #table: MovingTable
  readonly #shardMap: ShardMap
  readonly #drivers: Drivers | undefined

  /**
   * @param drivers who brings this process's changes to their end. Without them it changes the counts of random keys alone: whoever
   * drives the key goes on with a change that adds shards, and others claim what nobody drives.
   */
  constructor(table: MovingTable, shardMap: ShardMap, drivers: Drivers | undefined) {
    this.#table = table
    this.#shardMap = shardMap
    this.#drivers = drivers
  }

  /**
   * @param seen without a change under way: a count changes once at a time
   * @returns the new state, or `undefined` when another process was first
   * @throws IsothermError `key.too-long` where the last shard's number has no room behind the key, which nobody could query then
   */
  async change(
    key: LogicalKey,
    seen: AtRest,
    to: number,
    reason: ScalingReason,
  ): Promise<ShardState | undefined> {
    // mark: calculated-key-grows
    this.#table.suffix.add(key, to)
    const epochSeconds = Math.floor(this.#table.clock.now() / 1_000)
    const next = this.#drivers?.firstStep(seen, to, epochSeconds) ?? resize(seen, to, epochSeconds)
    const state = await this.#shardMap.replace(key, seen, next)
    if (state === undefined) return undefined
    this.#table.emit({
      type: state.phase === 'announced' ? 'announced' : 'scaled',
      table: this.#table.options.name,
      logicalKey: plainKey(key),
      from: seen.shards,
      to,
      reason,
      at: this.#table.clock.now(),
    })
    if (isUnfinished(state)) this.#drivers?.begin(key, state)
    return state
  }
}
