import type { KeyValue } from '@isotherm/semantics'
import { jump } from '../protocol/placement/jump.js'
import { placeHash } from '../protocol/placement/place-hash.js'

/**
 * The shard of an index that an item lies in, from its primary key as the application knows it.
 *
 * Calculated, although nobody looks for one item in an index: a put that is repeated, or changes something else, leaves
 * the index entry where it is, and an update need not know what is stored. A random shard would make two writes to the
 * index out of each put of an existing item, the old entry's deletion and the new one's put.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (Write capacity units)
 *
 * @param key partition key and sort key, in canonical form
 */
export function indexShard(key: readonly KeyValue[], shards: number): number {
  return jump(placeHash(key), shards) + 1
}
