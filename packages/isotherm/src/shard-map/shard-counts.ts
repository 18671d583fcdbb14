import type { LogicalKey } from '../keys/key.js'
import type { FixedShards } from '../options/shards.js'

/** How many shards a logical key has. Answers at once where it can. */
export interface ShardCounts {
  /** Shards that writes go to, if that is known without asking; it may be a little old. */
  known(key: LogicalKey): number | undefined
  /** Shards that a write may go to. */
  forWrite(key: LogicalKey): number | Promise<number>
  /**
   * Shards that a query must ask. `atLeast` is a shard that a cursor tells of: a cached answer that does not know it is
   * out of date and is asked for anew. The cursor itself adds no shards, or a forged one could order a thousand requests.
   */
  forRead(
    key: LogicalKey,
    how: { readonly consistent: boolean; readonly atLeast: number },
  ): number | Promise<number>
}

/** The count that people chose, for every key. */
export function fixedCounts(shards: FixedShards): ShardCounts {
  return {
    known: () => shards.count(),
    forWrite: () => shards.count(),
    forRead: () => shards.count(),
  }
}
