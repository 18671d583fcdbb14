import type { ShardView } from '../shard-map/shard-view.js'

/** Whether items may be on their way between shards. Where not, a place that was read stays read. */
export function hasMoves({ change, lowered = [] }: ShardView): boolean {
  return change !== undefined || lowered.length > 0
}

/**
 * When a shard is read: items only move from shards of an earlier stage to those of a later one, or stay, so what is no more
 * where it was read first is where it is read afterwards.
 *
 * A random key's items move from above a count that it was lowered to, to below it. With jump hashing a calculated key that
 * grows gives items to its new shards alone, and one that shrinks takes them out of the shards that go.
 */
export function readingStage({ change, lowered = [] }: ShardView, shard: number): number {
  if (change === undefined) return lowered.filter((count) => shard <= count).length
  const leaves = change.to > change.from ? shard <= change.from : shard > change.to
  return leaves ? 0 : 1
}
