import type { StoredItem } from '../read-items.js'
import { INFIX, type ParsedCounterOptions } from './counter-options.js'

/** The value of the sort key in every item of a counter, in a table that has one. */
const SORT_VALUE = 'isotherm:counter'

/** The keys of a counter's items, each with a partition key of its own. */
export class CounterItems {
  readonly #options: Pick<ParsedCounterOptions, 'key' | 'partitionKey' | 'sortKey'>

  constructor(options: Pick<ParsedCounterOptions, 'key' | 'partitionKey' | 'sortKey'>) {
    this.#options = options
  }

  /** The item with the number of shards and what was rolled up. */
  get head(): StoredItem {
    return this.#key(this.#options.key)
  }

  /** @param shard from 1 */
  shard(shard: number): StoredItem {
    return this.#key(`${this.#options.key}${INFIX}${shard}`)
  }

  /** The item that shows that a token was counted. */
  token(token: string): StoredItem {
    return this.#key(`${this.#options.key}${INFIX}token${INFIX}${token}`)
  }

  /** The number of a shard's item. */
  shardOf(item: StoredItem): number {
    const text = item[this.#options.partitionKey]?.S ?? ''
    return Number(text.slice(text.lastIndexOf(INFIX) + INFIX.length))
  }

  #key(value: string): StoredItem {
    const { partitionKey, sortKey } = this.#options
    const key: Record<string, { S: string }> = { [partitionKey]: { S: value } }
    if (sortKey !== undefined) key[sortKey] = { S: SORT_VALUE }
    return key
  }
}

/** What the head says of a counter. */
export interface Head {
  /** The number of shards that writers use. */
  readonly shards: number
  /** The number of shards that readers read: those of `shards`, and until they are closed those that were used before. */
  readonly highest: number
  /** Counts the changes of `shards`. A writer's must be newer than the closing of its shard. */
  readonly generation: number
  /** A random id, by which a head that was made again is another one. Heads of earlier builds have none, nor has one that was never changed. */
  readonly madeBy: string | undefined
  /** Counts what moved between shards and head. */
  readonly moves: number
  /** What was moved out of the shards. */
  readonly total: bigint
  /** The numbers of shards that the counter has had since it had the fewest, in order. */
  readonly steps: readonly number[]
  /** When `shards` was changed last, in milliseconds by the clock of the process that changed it. */
  readonly changedAt: number
  /** The ids of the last resets, the latest first. */
  readonly resets: readonly string[]
}

/** A counter that has no head yet has one shard. */
export function headOf(item: StoredItem | undefined): Head {
  const numberOf = (attribute: string, otherwise: number) => Number(item?.[attribute]?.N ?? otherwise)
  const shards = numberOf('shards', 1)
  return {
    shards,
    highest: numberOf('highest', shards),
    generation: numberOf('generation', 0),
    madeBy: item?.made_by?.S,
    moves: numberOf('moves', 0),
    total: BigInt(item?.rolled_up?.N ?? 0),
    steps: item?.steps?.L?.map(({ N }) => Number(N)) ?? [shards],
    changedAt: numberOf('changed_at', 0),
    resets: item?.reset_by?.S?.split(' ') ?? [],
  }
}

/** What a shard has counted since it was rolled up. */
export function countOf(shard: StoredItem): bigint {
  return BigInt(shard.n?.N ?? 0)
}
