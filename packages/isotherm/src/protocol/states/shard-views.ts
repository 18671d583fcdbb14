import type { LogicalKey } from '../../keys/key.js'
import { fixedView, type ShardView } from './shard-view.js'

/** How many shards a logical key has. Answers at once where it can. */
export interface ShardViews {
  /** Shards that new items go to, if that is known without asking; it may be out of date. For people to look at. */
  known(key: LogicalKey): number | undefined
  /** For a request that may write: a key that is not known yet is added to the shard map first. */
  forWrite(key: LogicalKey): ShardView | Promise<ShardView>
  /**
   * For a request that only reads. `atLeast` is a shard that a cursor tells of: a cached answer that does not know it is
   * out of date and is asked for anew. The cursor itself adds no shards, or a forged one could order a thousand requests.
   */
  forRead(
    key: LogicalKey,
    how: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView>
}

/** The count that people chose, for every key. */
export function fixedViews(count: () => number): ShardViews {
  return {
    known: count,
    forWrite: () => fixedView(count()),
    forRead: () => fixedView(count()),
  }
}
