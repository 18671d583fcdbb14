import { MoveSender } from '../../attempts/move-sender.js'
import { CHANGED, type Changed, STALE, type Stale } from '../../attempts/outcome.js'
import type { ItemKey } from '../../keys/item-key.js'
import { carryOver } from './carry-over.js'
import { itemAt } from './item-at.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MovingTable } from './moving-table.js'

/** A marked item that somebody met. */
export interface MetMark {
  readonly key: ItemKey
  /** The shard where the marked copy was met. */
  readonly source: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Finishes the move of an item whose mark was met, whoever began it: for a request that wants to go on with the item.
 * Afterwards the item is at the target, or was deleted; the caller looks there. Without transactions the move may have to wait for the
 * pass that empties shards; then the caller meets the mark again.
 *
 * @throws the service's error, after as many attempts as a write of the table has
 */
export async function finishMove(
  table: MovingTable,
  { key, source, signal }: MetMark,
): Promise<Changed | Stale> {
  const sender = new MoveSender(table, { maxAttempts: table.options.maxAttempts, pace: undefined, signal })
  const item = await itemAt(table, sender, key, source)
  if (item?.[MOVE_ATTRIBUTES.moving] === undefined) return CHANGED
  const marked = { key, source, item, discards: false, isInPass: false }
  return (await carryOver(table, sender, marked)) === 'stale' ? STALE : CHANGED
}
