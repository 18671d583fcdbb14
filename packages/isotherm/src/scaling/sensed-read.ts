import type { OnThrottle } from '../attempts/attempt-loop.js'
import type { LogicalKey } from '../keys/key.js'
import type { ReadHeat, Spread } from './read-heat.js'

/** The part of a request that was throttled. */
interface ThrottledPart {
  /** How many of its shards were throttled. Default 1. */
  readonly shards?: number
  /** The first of them. Default: the shard of the request. */
  readonly shard?: number
  /** The index that was queried, if it was not the table. */
  readonly index?: string | undefined
}

/** One request that reads shards of one key, from its first attempt to its answer. */
export class SensedRead {
  readonly #heat: ReadHeat
  readonly #key: LogicalKey
  readonly #shard: number
  readonly #spread: Spread | undefined
  #tableThrottles = 0
  #indexThrottles = 0

  constructor(heat: ReadHeat, key: LogicalKey, shard: number, spread?: Spread) {
    this.#heat = heat
    this.#key = key
    this.#shard = shard
    this.#spread = spread
  }

  /** Records a throttled attempt. Nobody waits for its scope, because every read is retried in the same shard. */
  throttled(
    reasons: readonly string[],
    { shards = 1, shard = this.#shard, index }: ThrottledPart = {},
  ): void {
    const attempt = index === undefined ? ++this.#tableThrottles : ++this.#indexThrottles
    const spread = this.#spread
    void this.#heat.throttled({ key: this.#key, shard, shards, attempt, reasons, index, spread })
  }

  readonly onThrottle: OnThrottle = async (reasons) => {
    this.throttled(reasons)
    return undefined
  }

  /** Records that the table has answered, and that the answer consumed these units. */
  answered(units: number, shards = 1): void {
    this.#heat.answered(this.#key, units, {
      wasThrottled: this.#tableThrottles > 0,
      shards,
      spread: this.#spread,
    })
  }
}
