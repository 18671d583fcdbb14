import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import { drawnIndexShard } from '../index-shards.js'
import type { StoredItem } from '../read-items.js'
import type { Sender } from '../sending/pattern-client.js'
import { ATTRIBUTES_OF_A_CLAIM, type ParsedPoolOptions } from './pool-options.js'

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

/**
 * The name of a claim has the place where the item was claimed, so that an item shows where it was put after the claim removed its place.
 * An attribute of its own would be returned as one of the application by processes that do not know it.
 */
export function claimNameAt(place: AttributeValue, token: string): string {
  return `${token}-${place.N}`
}

/** Whether the item is at a place, or was claimed there. */
export function wasPutAt(item: StoredItem | undefined, { place }: ParsedPoolOptions, at: string): boolean {
  const claims = [item?.claim?.S, item?.last_claim?.S]
  return item?.[place]?.N === at || claims.some((claim) => claim?.endsWith(`-${at}`))
}

/** The names of the pool's own attributes of an item, besides its keys. */
export function ownAttributes({ indexKey, place }: ParsedPoolOptions): readonly string[] {
  return [indexKey, place, ...ATTRIBUTES_OF_A_CLAIM]
}
