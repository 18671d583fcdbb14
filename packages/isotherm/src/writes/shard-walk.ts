import { type Random, randomInteger } from '@isotherm/runtime'
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
    this.shard = randomInteger(table.random, 1, view.shards)
  }

  /**
   * Continues after a throttle: immediately in an untried shard, if that can help, or else after a wait in a random shard.
   * A write that may have succeeded without a response stays in its shard.
   * @returns the final error if no time is left; `undefined` otherwise
   */
  async next(error: Error, scope: ThrottleScope | undefined): Promise<Error | undefined> {
    const { random, views } = this.#table
    this.#tried.push(this.shard)
    // mark: unanswered-append-stays-in-its-shard
    const isTied = this.#budget.unanswered !== undefined
    if (!isTied && (scope === 'partition' || scope === 'unknown')) {
      this.view = await views.forWrite(this.#key)
      const other = untriedShard(random, this.view.shards, this.#tried)
      if (other !== undefined && this.#tried.length <= MAX_IMMEDIATE_RETRIES) {
        this.shard = other
        return undefined
      }
    }
    const lastWord = await this.#budget.wait(error)
    if (lastWord !== undefined) return lastWord
    await this.lookAgain()
    if (!isTied) this.shard = randomInteger(random, 1, this.view.shards)
    return undefined
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
      if (stayedInUse(this.shard, before, this.view)) return
      throw unanswered
    }
    // mark: append-leaves-a-retired-shard
    if (this.shard <= this.view.shards) return
    this.shard = randomInteger(this.#table.random, 1, this.view.shards)
  }
}

/** A random shard among those not tried, or `undefined`. */
function untriedShard(random: Random, shards: number, tried: readonly number[]): number | undefined {
  const taken = [...new Set(tried)].filter((shard) => shard <= shards).sort((a, b) => a - b)
  if (taken.length >= shards) return undefined
  let shard = randomInteger(random, 1, shards - taken.length)
  for (const other of taken) if (other <= shard) shard += 1
  return shard
}
