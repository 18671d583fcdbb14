import type { Random } from '@isotherm/runtime'
import { drawnIndexShard } from '../index-shards.js'
import type { StoredItem } from '../read-items.js'
import type { Sender } from '../sending/pattern-client.js'
import type { ParsedPoolOptions } from './pool-options.js'

/** A pool as its operations see it. */
export interface PoolTarget {
  readonly db: Sender
  readonly options: ParsedPoolOptions
}

/** The value of the sort key in every item of a pool, in a table that has one. */
const SORT_VALUE = 'isotherm:pool'

/** The key of the item with an id. */
export function keyOf({ partitionKey, sortKey }: ParsedPoolOptions, id: string): StoredItem {
  const key: Record<string, { S: string }> = { [partitionKey]: { S: id } }
  if (sortKey !== undefined) key[sortKey] = { S: SORT_VALUE }
  return key
}

/** The attributes that bring an item into the index: a random shard, and a random place there. */
export function unusedAttributes({ random, name, shards, indexKey, place }: ParsedPoolOptions): StoredItem {
  return {
    [indexKey]: { S: drawnIndexShard(random, name, shards) },
    [place]: { N: String(drawnPlace(random)) },
  }
}

/**
 * A random place, which also distinguishes one stay in the index from another: a claim names the place, so that one that arrives late does not
 * take an item that was given back meanwhile.
 */
export function drawnPlace(random: Random): number {
  return Math.floor(random.next() * 2 ** 26) * 2 ** 26 + Math.floor(random.next() * 2 ** 26)
}

/** The names of the pool's own attributes of an item, besides its keys. */
export function ownAttributes({ indexKey, place }: ParsedPoolOptions): readonly string[] {
  return [indexKey, place, 'claim', 'claimed_at', 'used_at', 'last_claim']
}
