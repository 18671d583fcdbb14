import { comparePositions, type MergeOrder, type Position } from './position.js'
import type { ShardStream } from './shard-stream.js'

/** A shard that is taken to be needed further, and for how many more items. */
export interface ExpectedRead {
  readonly stream: ShardStream
  readonly items: number
}

/** Weight, in items a shard, of the guess that all shards are alike, against what was seen of each. */
const PRIOR_ITEMS = 4

/** Above this share of all items the shards that are behind tell nothing of how many are still to come. */
const MAX_SHARE = 0.999

/**
 * Which shards the rest of a page will need, and how much of each.
 *
 * The shard whose frontier is lowest is needed for certain; to fetch it alone would take a round for each shard. So for every
 * frontier it is estimated how many items of all shards lie before it: those that are known, and those still to come from
 * shards that are further behind, at the rate at which each has given items until now. A shard whose frontier is
 * estimated to lie behind the page's end is left alone.
 *
 * @param taken items that are in the page already
 * @param total items that the page will have
 */
export function expectedReads(
  streams: readonly ShardStream[],
  order: MergeOrder,
  taken: number,
  total: number,
): readonly ExpectedRead[] {
  const known: Position[] = streams.flatMap(({ buffered }) => [...buffered])
  known.sort((a, b) => comparePositions(a, b, order))
  const needed: ExpectedRead[] = []
  let before = 0
  let share = 0
  let sharedBefore = 0
  for (const { stream, frontier } of byFrontier(streams, order)) {
    for (let next = known[before]; next !== undefined; next = known[before]) {
      if (comparePositions(next, frontier, order) > 0) break
      before += 1
    }
    const certain = taken + before
    if (share >= MAX_SHARE && needed.length > 0) break
    const rank = Math.max(certain, (certain - sharedBefore) / (1 - share))
    if (rank >= total && needed.length > 0) break
    const rate = Math.min(
      1,
      (stream.given + PRIOR_ITEMS) / (Math.max(1, rank) + PRIOR_ITEMS * streams.length),
    )
    needed.push({ stream, items: rate * Math.max(0, total - rank) })
    share += rate
    sharedBefore += rate * rank
  }
  return needed
}

function byFrontier(streams: readonly ShardStream[], order: MergeOrder) {
  const unfinished = streams.flatMap((stream) => {
    const { isFinished, frontier } = stream
    return isFinished || frontier === undefined ? [] : [{ stream, frontier }]
  })
  return unfinished.sort((a, b) => comparePositions(a.frontier, b.frontier, order))
}
