import type { Head } from './counter-items.js'

/** A shard that refused a count because it was closed. */
export interface ClosedShard {
  readonly shard: number
  /** The generation in which it was closed. */
  readonly closed: number
}

/**
 * The generation that opens shards which writers should use, and which were closed. A shard is closed after it was taken out of use, and
 * taken into use again with a higher generation. So there is none, unless the shards were closed by an earlier head, which was deleted.
 *
 * @param head read after the shards refused
 * @returns `undefined` if there are no such shards
 */
export function generationThatOpens(head: Head, refused: readonly ClosedShard[]): number | undefined {
  const latest = refused.reduce(
    (most, { shard, closed }) => (shard <= head.shards ? Math.max(most, closed) : most),
    -1,
  )
  return latest >= head.generation ? latest + 1 : undefined
}
