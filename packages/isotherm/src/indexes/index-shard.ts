import type { KeyValue } from '@isotherm/semantics'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'

/**
 * The shard of an item in an index, calculated from its logical primary key.
 *
 * It is calculated, although queries never search an index for a single item. So a put that is repeated, or changes
 * other attributes, leaves the index entry in place, and an update does not need to know the stored item. With a random
 * shard, each put of an existing item would cause two writes to the index: deleting the old entry and adding the new
 * one. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (Write capacity units)
 *
 * @param key partition key and sort key, in canonical form
 */
export function indexShard(key: readonly KeyValue[], shards: number): number {
  return jump(placeHash(key), shards) + 1
}
