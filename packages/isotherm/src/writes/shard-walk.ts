import { type Random, randomInteger } from '@isotherm/runtime'
import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { backoffMilliseconds } from './backoff.js'

/** Other shards that a write tries at once; after them the key is hot everywhere and waiting helps more. */
const MAX_IMMEDIATE_RETRIES = 3

/** The way of one write from shard to shard. */
export class ShardWalk {
  readonly #table: TableRuntime
  readonly #key: LogicalKey
  readonly #tried: number[] = []
  #waits = 0
  /** Total of the waits. */
  waitedMilliseconds = 0
  /** The shard to write to now. */
  shard: number

  constructor(table: TableRuntime, key: LogicalKey, shards: number) {
    this.#table = table
    this.#key = key
    this.shard = randomInteger(table.random, 1, shards)
  }

  /**
   * Goes on after a throttle: at once to a shard not tried yet, where that can help, else after a wait to any.
   * @param mayBeWritten that the item may be in the present shard already: then it must not go to a second one
   */
  async next(
    scope: ThrottleScope,
    mayBeWritten: boolean,
    abortSignal: AbortSignal | undefined,
  ): Promise<void> {
    const { random, views } = this.#table
    this.#tried.push(this.shard)
    if (mayBeWritten) return this.#wait(abortSignal)
    if (scope === 'partition' || scope === 'unknown') {
      const other = untriedShard(random, (await views.forWrite(this.#key)).shards, this.#tried)
      if (other !== undefined && this.#tried.length <= MAX_IMMEDIATE_RETRIES) {
        this.shard = other
        return
      }
    }
    await this.#wait(abortSignal)
    this.shard = randomInteger(random, 1, (await views.forWrite(this.#key)).shards)
  }

  async #wait(abortSignal: AbortSignal | undefined): Promise<void> {
    const milliseconds = backoffMilliseconds(this.#table.random, this.#waits++)
    this.waitedMilliseconds += milliseconds
    await this.#table.clock.sleep(milliseconds, abortSignal)
  }
}

/** A shard drawn evenly from those not tried, or none. */
function untriedShard(random: Random, shards: number, tried: readonly number[]): number | undefined {
  const taken = [...new Set(tried)].filter((shard) => shard <= shards).sort((a, b) => a - b)
  if (taken.length >= shards) return undefined
  let shard = randomInteger(random, 1, shards - taken.length)
  for (const other of taken) if (other <= shard) shard += 1
  return shard
}
