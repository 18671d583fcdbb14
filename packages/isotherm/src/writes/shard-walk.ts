import type { AttemptBudget } from '../attempts/attempt-budget.js'
import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import { type ShardView, stayedInUse } from '../protocol/index.js'
import type { WrittenTable } from './written-table.js'

/**
 * The number of other shards that a throttled write tries at once. If they throttle too, the key is hot everywhere, and
 * waiting helps more.
 */
const MAX_IMMEDIATE_RETRIES = 3

/** The shards that one write tries, one after the other. */
export class ShardWalk {
  readonly #table: WrittenTable
  readonly #key: LogicalKey
  readonly #budget: AttemptBudget
  readonly #tried: number[] = []
  /** The current shard. */
  shard: number
  /** The view of the shard map by which it was chosen. */
  view: ShardView

  constructor(table: WrittenTable, key: LogicalKey, view: ShardView, budget: AttemptBudget) {
    this.#table = table
    this.#key = key
    this.#budget = budget
    this.view = view
    // mark: append-may-go-to-any-shard
    this.shard = this.#draw()
  }

  /**
   * Continues after a throttle: immediately in an untried shard, if that can help, or else after a wait in a random shard.
   * A write that may have succeeded without a response stays in its shard.
   * @returns the final error if no time is left; `undefined` otherwise
   */
  async next(error: Error, scope: ThrottleScope | undefined): Promise<Error | undefined> {
    const { coolShards, views } = this.#table
    this.#tried.push(this.shard)
    // mark: unanswered-append-stays-in-its-shard
    const isTied = this.#budget.unanswered !== undefined
    if (scope === 'partition') coolShards.refused(this.#key, this.view.shards, this.shard)
    if (!isTied && (scope === 'partition' || scope === 'unknown')) {
      this.view = await views.forWrite(this.#key)
      const other = this.#untried()
      if (other !== undefined && this.#tried.length <= MAX_IMMEDIATE_RETRIES) {
        this.shard = other
        return undefined
      }
    }
    const lastWord = await this.#budget.wait(error)
    if (lastWord !== undefined) return lastWord
    await this.lookAgain()
    if (!isTied) this.shard = this.#draw()
    return undefined
  }

  /** The write was accepted in the current shard. */
  accepted(): void {
    this.#table.coolShards.accepted(this.#key, this.shard)
  }

  #draw(): number {
    const { coolShards, suffix } = this.#table
    const shard = coolShards.pick(this.#key, this.view.shards)
    if (suffix.hasRoom(this.#key, shard)) return shard
    // A long key has no room for the digits of all its shards. If it has none for any, the request is refused when its stored key is made.
    return coolShards.pickAmong(this.#key, this.view.shards, this.#withRoom()) ?? shard
  }

  #untried(): number | undefined {
    const untried = this.#withRoom().filter((shard) => !this.#tried.includes(shard))
    return this.#table.coolShards.pickAmong(this.#key, this.view.shards, untried)
  }

  #withRoom(): readonly number[] {
    const shards = Array.from({ length: this.view.shards }, (_, index) => index + 1)
    return shards.filter((shard) => this.#table.suffix.hasRoom(this.#key, shard))
  }

  /**
   * Continues according to the current shard map.
   *
   * An item that may already be in its shard must not be written to a second one. A shard that was retired meanwhile
   * must not be written to, even if it is in use again, because the item may have been moved out of it.
   *
   * @throws the error of the attempt without a response, if both apply or the shard map is unavailable
   */
  async lookAgain(): Promise<void> {
    const { unanswered } = this.#budget
    const before = this.view
    try {
      this.view = await this.#table.views.forWrite(this.#key)
    } catch (error) {
      throw this.#budget.lastWord(error)
    }
    if (unanswered !== undefined) {
      // mark: append-knows-a-shard-that-is-back
      if (stayedInUse(this.shard, before, this.view, this.#table)) return
      throw unanswered
    }
    // mark: append-leaves-a-retired-shard
    if (this.shard <= this.view.shards) return
    this.shard = this.#draw()
  }
}
