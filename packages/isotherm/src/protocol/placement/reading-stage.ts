import type { ShardView } from '../states/shard-view.js'

/**
 * When a shard is read: items only move from shards of an earlier stage to those of a later one, or stay. So an item that has left
 * a shard which was read is in a shard which is read later.
 *
 * A random key's items move from above a lowered count to below it. With jump hashing a calculated key that grows gives items to
 * its new shards alone, and one that shrinks takes them out of the shards that go.
 */
export function readingStage({ moves }: ShardView, shard: number): number {
  if (moves === undefined) return 0
  if (moves.kind === 'drain') return moves.below.filter((count) => shard <= count).length
  const leaves = moves.to > moves.from ? shard <= moves.from : shard > moves.to
  return leaves ? 0 : 1
}
