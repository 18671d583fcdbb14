import type { ShardView } from '../shard-map/shard-view.js'

/**
 * Whether items may be on their way between shards. Until then, and after, a place that was read stays read.
 */
export function hasMoves({ shards, readable, change }: ShardView): boolean {
  return change !== undefined || readable > shards
}

/**
 * Whether items leave this shard, rather than come to it: no shard does both. A random key's items only leave shards that
 * are retired. With jump hashing a calculated key that grows gives items to its new shards alone, and one that shrinks
 * takes them out of the shards that go.
 */
export function isSource({ shards, change }: ShardView, shard: number): boolean {
  if (change === undefined) return shard > shards
  return change.to > change.from ? shard <= change.from : shard > change.to
}
