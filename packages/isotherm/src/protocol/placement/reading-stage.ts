import type { ShardView } from '../states/shard-view.js'

/**
 * Returns the stage in which a shard is read. An item stays, or moves from a shard of an earlier stage to a shard of a later
 * stage. So an item that has left a shard after the read of that shard is in a shard that is read later.
 *
 * The items of a random key move from the shards above a lowered count to the shards below it. With jump hashing, a calculated key
 * that grows moves items only to its new shards. One that shrinks moves items only out of the removed shards.
 */
export function readingStage({ moves }: ShardView, shard: number): number {
  if (moves === undefined) return 0
  if (moves.kind === 'drain') return moves.below.filter((count) => shard <= count).length
  const leaves = moves.to > moves.from ? shard <= moves.from : shard > moves.to
  return leaves ? 0 : 1
}
