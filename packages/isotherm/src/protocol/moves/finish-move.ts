import { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { carryOver } from './carry-over.js'
import { itemAt } from './item-at.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MovingTable } from './moving-table.js'
import type { StoredItem } from './stored-item.js'

/** A marked item that somebody met. */
export interface MetMark {
  readonly key: ItemKey
  /** The shard where the marked copy was met. */
  readonly source: number
  /** The whole marked item as it is stored, if it is known; else it is read. */
  readonly item?: StoredItem | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Finishes the move of an item whose mark was met, whoever began it: for a request that wants to go on with the item.
 * Afterwards the item is at the target, or was deleted; the caller looks there. Without transactions the move may have to wait for the
 * pass that empties shards; then the caller meets the mark again.
 *
 * @returns the shard that the item went to; `undefined` when there is no marked item at the source any more
 * @throws the service's error, after as many attempts as a write of the table has; StaleView, to be decided anew
 */
export async function finishMove(
  table: MovingTable,
  { key, source, item, signal }: MetMark,
): Promise<number | undefined> {
  const sender = new MoveSender(table, { maxAttempts: table.options.maxAttempts, pace: undefined, signal })
  const marked = item ?? (await itemAt(table, sender, key, source))
  if (marked?.[MOVE_ATTRIBUTES.moving] === undefined) return undefined
  const { target } = await carryOver(table, sender, {
    key,
    source,
    item: marked,
    discards: false,
    isInPass: false,
  })
  return target
}
