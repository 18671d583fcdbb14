import { mergeInOrder } from './merge-in-order.js'
import { comparePositions, type MergeOrder } from './position.js'
import type { ShardStream } from './shard-stream.js'

/** A shard that must be read further, and the expected number of items from it. */
export interface ExpectedRead {
  readonly stream: ShardStream
  readonly items: number
}

/**
 * The weight, in items per shard, of the assumption that all shards are equal, against the observed number of items.
 */
const PRIOR_ITEMS = 4

/** Above this share of all items, the shards that are behind allow no estimate of the remaining items. */
const MAX_SHARE = 0.999

/**
 * Estimates which shards the rest of a page needs, and how much of each.
 *
 * The shard with the lowest frontier is certainly needed, but reading only that one would take a round for each shard.
 * So this estimates for every frontier how many items of all shards precede it: the items already read, plus the
 * expected items of shards that are further behind, at the rate that each has returned so far. A shard is not read if
 * its frontier is estimated to lie beyond the end of the page.
 *
 * @param taken the number of items already in the page
 * @param total the number of items that the page will have
 */
export function expectedReads(
  streams: readonly ShardStream[],
  order: MergeOrder,
  taken: number,
  total: number,
): readonly ExpectedRead[] {
  const known = mergeInOrder(
    streams.map(({ buffered }) => buffered),
    order,
  )
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
