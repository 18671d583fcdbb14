import { type Clock, type Random, randomInteger } from '@isotherm/runtime'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import { keyText, type LogicalKey } from '../keys/key.js'

/** The keys whose shards are remembered. */
const MAX_KEYS = 1_000

/** What a refusal leaves of a shard's weight, and what a success adds: one refusal of 75 writes keeps a weight as it is. */
const AFTER_REFUSAL = 0.85
const AFTER_SUCCESS = 0.002

/** How long a key is remembered after its last refusal. Its partitions may be split, or its neighbours may cool down. */
const MEMORY_MILLISECONDS = 60_000

interface KeyWeights {
  /** The count under which the shards were refused: under another one, they carry other parts of the load. */
  readonly shards: number
  /** The weight of each shard, above 0 and at most 1. A shard beyond the end was never refused. */
  readonly weights: number[]
  refusedAt: number
}

/**
 * Where a writer that may choose its shard writes: to the cooler of two random shards.
 *
 * Shards that share a partition are refused more often than others. Each process remembers its own refusals, and writes less to
 * those shards, so that each partition gets its even share, and not each shard. A key without refusals costs nothing, and all its
 * shards are alike.
 *
 * Source of the idea: Mitzenmacher: The power of two choices in randomized load balancing (2001)
 */
export class CoolShards {
  readonly #random: Random
  readonly #clock: Clock
  readonly #keys = new RecentlyUsedMap<string, KeyWeights>(MAX_KEYS)

  constructor({ random, clock }: { readonly random: Random; readonly clock: Clock }) {
    this.#random = random
    this.#clock = clock
  }

  /** A shard of the key, 1 to `shards`. */
  pick(key: LogicalKey, shards: number): number {
    const one = randomInteger(this.#random, 1, shards)
    const known = this.#keys.size === 0 ? undefined : this.#weightsOf(key, shards)
    if (known === undefined || shards === 1) return one
    return coolerOf(known, one, randomInteger(this.#random, 1, shards))
  }

  /** One of some of the key's shards, or `undefined` if there is none. */
  pickAmong(key: LogicalKey, shards: number, some: readonly number[]): number | undefined {
    const draw = () => some[randomInteger(this.#random, 0, some.length - 1)]
    const one = some.length === 0 ? undefined : draw()
    const known = this.#weightsOf(key, shards)
    return known === undefined || one === undefined ? one : coolerOf(known, one, draw() ?? one)
  }

  refused(key: LogicalKey, shards: number, shard: number): void {
    const known = this.#weightsOf(key, shards) ?? { shards, weights: [], refusedAt: 0 }
    known.weights[shard - 1] = weightOf(known, shard) * AFTER_REFUSAL
    known.refusedAt = this.#clock.now()
    this.#keys.set(keyText(key), known)
  }

  accepted(key: LogicalKey, shard: number): void {
    const known = this.#keys.size === 0 ? undefined : this.#keys.peek(keyText(key))
    const weight = known?.weights[shard - 1]
    if (known !== undefined && weight !== undefined)
      known.weights[shard - 1] = Math.min(1, weight + AFTER_SUCCESS)
  }

  #weightsOf(key: LogicalKey, shards: number): KeyWeights | undefined {
    const known = this.#keys.peek(keyText(key))
    const isCurrent = known?.shards === shards && this.#clock.now() - known.refusedAt <= MEMORY_MILLISECONDS
    return isCurrent ? known : undefined
  }
}

function weightOf({ weights }: KeyWeights, shard: number): number {
  return weights[shard - 1] ?? 1
}

function coolerOf(known: KeyWeights, one: number, other: number): number {
  return weightOf(known, one) >= weightOf(known, other) ? one : other
}
