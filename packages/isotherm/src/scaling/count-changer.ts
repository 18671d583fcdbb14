import type { ScalingReason } from '../events/event.js'
import { type LogicalKey, plainKey } from '../keys/key.js'
import {
  type AtRest,
  type Growth,
  isUnfinished,
  type MovingTable,
  requireCountsMayChange,
  resize,
  type ShardMap,
  type ShardState,
  type Unfinished,
} from '../protocol/index.js'

/** Completes changes of shard counts in the background. */
interface Drivers {
  /** The first state of a change. With a random suffix it has the new count; with a calculated one, it is a phase. */
  firstStep(state: AtRest, to: number, epochSeconds: number): ShardState
  /** Continues the change from a state that this process has just written. */
  begin(key: LogicalKey, state: Unfinished): void
}

/** For so long after a table was described, counts are changed without another look. */
const ALLOWED_MILLISECONDS = 60_000

/** Changes the shard count of a key: immediately with a random suffix, in phases with a calculated one. */
export class CountChanger {
  readonly #table: MovingTable
  readonly #shardMap: ShardMap
  readonly #drivers: Drivers | undefined
  readonly #allowedUntil = { fall: 0, grow: 0 }

  /**
   * @param drivers complete the changes of this process. Without them, the process only changes counts of keys with a
   * random suffix. If shards are added during an unfinished change, its driver continues with the new count. A change
   * without a driver is claimed by another process.
   */
  constructor(table: MovingTable, shardMap: ShardMap, drivers: Drivers | undefined) {
    this.#table = table
    this.#shardMap = shardMap
    this.#drivers = drivers
  }

  /**
   * @param seen a state without a change in progress, because a key has only one change at a time
   * @param growth recorded for later decisions, if the count grows because of heat
   * @returns the new state, or `undefined` if another process changed the state first
   * @throws IsothermError `key.too-long` if the key is too long for the suffix of the last shard, so that queries of the
   * key would fail; `table.unfit` in a global table whose options do not allow the change
   */
  async change(
    key: LogicalKey,
    seen: AtRest,
    to: number,
    reason: ScalingReason,
    growth?: Growth,
  ): Promise<ShardState | undefined> {
    // mark: calculated-key-grows
    this.#table.suffix.add(key, to)
    await this.#requireOneRegion(to < seen.shards)
    const epochSeconds = Math.floor(this.#table.clock.now() / 1_000)
    const next = this.#drivers?.firstStep(seen, to, epochSeconds) ?? resize(seen, to, epochSeconds)
    const state = await this.#shardMap.begin(key, seen, next, growth)
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

  /**
   * A table can get replicas at any time. It is described at most once in a while, because many keys may grow at a time, and only if its
   * shard map has a client of its own: others were refused when they were global, and most never are.
   */
  async #requireOneRegion(mayFall: boolean): Promise<void> {
    const { clock, client, options } = this.#table
    if (!options.shardMapHasClient) return
    const kind = mayFall ? 'fall' : 'grow'
    if (clock.now() < this.#allowedUntil[kind]) return
    await requireCountsMayChange(options, client, { mayFall })
    this.#allowedUntil[kind] = clock.now() + ALLOWED_MILLISECONDS
  }
}
