import type { LogicalKey } from '../../keys/key.js'
import { fixedView, type ShardView } from './shard-view.js'

/** Provides the shard counts of logical keys, without waiting if possible. */
export interface ShardViews {
  /** Returns the cached number of shards that new items go to. It may be out of date. For display only. */
  known(key: LogicalKey): number | undefined
  /** Returns the view for a request that may write. Without a card, adds an unknown key to the shard map first. */
  forWrite(key: LogicalKey): ShardView | Promise<ShardView>
  /**
   * Returns the view for a request that only reads. `atLeast` is a shard that a cursor names. A cached view without that shard is
   * out of date, and the shard map is read again. The cursor itself never adds shards: otherwise a forged cursor could cause a
   * thousand requests.
   */
  forRead(
    key: LogicalKey,
    how: { readonly consistent: boolean; readonly atLeast?: number },
  ): ShardView | Promise<ShardView>
  /**
   * Returns what a consistent read may ask the shards by while it waits for `forRead`, whose answer decides whether that was right.
   * `undefined` if nothing is known, or if `forRead` asks nobody.
   */
  guess(key: LogicalKey): ShardView | undefined
  /**
   * Returns a valid view by which all items of a random key are in its first shard, without a read of the key's own item. Another process
   * may have added shards since. But an item that is in the first shard is the item: nothing moves out of it, and of several copies
   * the one in the lowest shard counts. That it is not there proves nothing. `undefined` if the key may have more shards, and for
   * counts that do not grow at once.
   */
  oneShard(key: LogicalKey): ShardView | undefined | Promise<ShardView | undefined>
  /**
   * Finds out whether the table was written with the options of this process, for a request that needs no count. `undefined` if that is
   * known.
   * @param key any key of the table
   */
  checkTable(key: LogicalKey): Promise<unknown> | undefined
  /** Reads the shard map, and returns the view of what it says now. */
  viewNow(key: LogicalKey): Promise<ShardView>
}

/**
 * Returns the views of a fixed count, which is the same for every key.
 * @param check what has to be found out before the first request; `undefined` once it is
 */
export function fixedViews(
  count: () => number,
  check: (key: LogicalKey) => Promise<void> | undefined = () => undefined,
): ShardViews {
  const view = (key: LogicalKey) => check(key)?.then(() => fixedView(count())) ?? fixedView(count())
  return {
    known: count,
    forWrite: view,
    forRead: view,
    guess: () => undefined,
    oneShard: () => undefined,
    checkTable: check,
    viewNow: async (key) => view(key),
  }
}
