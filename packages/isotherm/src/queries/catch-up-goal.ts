import { comparePositions, type MergeOrder, type Position } from './position.js'
import type { ShardStream } from './shard-stream.js'

/**
 * The sort key up to which the shards that are behind should be read next: that of the shard in the middle.
 *
 * A filter hides where the other items are, so nothing can be estimated from the items that passed. All shards have
 * read about as much, so those ahead of the middle have items far apart, and those behind it need little to reach it.
 * Without the catching up, a page of many shards would end where the first of them stopped, and the rest would be read
 * again for the next page.
 *
 * @returns `undefined` before the first reads, and when most shards are finished: then the others should be read without
 * a bound
 */
export function catchUpGoal(streams: readonly ShardStream[], order: MergeOrder): Position | undefined {
  const bySort = { ...order, parted: false }
  const frontiers = streams.flatMap(({ isFinished, frontier }) =>
    isFinished || frontier === undefined ? [] : [frontier],
  )
  frontiers.sort((a, b) => comparePositions(a, b, bySort))
  const [lowest] = frontiers
  if (lowest === undefined) return undefined
  const goal = frontiers
    .slice(Math.floor(streams.length / 2))
    .find((frontier) => comparePositions(frontier, lowest, bySort) > 0)
  // Shard 0 precedes every shard, so a shard that has read up to this sort key has reached the goal.
  return goal && { sort: goal.sort, shard: 0 }
}
