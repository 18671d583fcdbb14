import { MoveSender } from '../../attempts/move-sender.js'
import { CHANGED, type Changed, STALE, type Stale } from '../../attempts/outcome.js'
import type { ItemKey } from '../../keys/item-key.js'
import { carryOver, type MarkedItem } from './carry-over.js'
import { itemAt } from './item-at.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MovingTable } from './moving-table.js'
import { isNoRoom } from './no-room.js'
import { unmarkLater } from './unmark-item.js'

/** A marked item that a request has found. */
export interface MetMark {
  readonly key: ItemKey
  /** The shard in which the marked copy was found. */
  readonly source: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Finishes the move of a marked item that a request has found, so that the request can continue. Any process may have begun the
 * move. Afterwards the item is at the target, or was deleted, and the caller reads the target. Without transactions, the move may
 * have to wait for the pass that empties shards. Then the caller finds the mark again.
 *
 * @throws IsothermError `move.no-room` if the item has no room for a move, and its mark stays for now; the error of the service, after as many attempts as a write to the table has
 */
export async function finishMove(
  table: MovingTable,
  { key, source, signal }: MetMark,
): Promise<Changed | Stale> {
  const sender = new MoveSender(table, { maxAttempts: table.options.maxAttempts, pace: undefined, signal })
  const item = await itemAt(table, sender, key, source)
  if (item?.[MOVE_ATTRIBUTES.moving] === undefined) return CHANGED
  const marked = { key, source, item, discards: false, isInPass: false }
  try {
    return (await carryOver(table, sender, marked)) === 'stale' ? STALE : CHANGED
  } catch (error) {
    if (!isNoRoom(error) || !table.options.transactions) throw error
    if (await isTakenOff(table, sender, marked)) return CHANGED
    unmarkLater(table, marked)
    throw error
  }
}

/** How long a request waits for a mark that cannot move, before it looks again: the process that has set it takes it off at once. */
const LOOK_AGAIN_MILLISECONDS = [50, 200, 800]

async function isTakenOff(
  table: MovingTable,
  sender: MoveSender,
  { key, source, item }: MarkedItem,
): Promise<boolean> {
  for (const milliseconds of LOOK_AGAIN_MILLISECONDS) {
    await sender.pause(milliseconds)
    const still = await itemAt(table, sender, key, source)
    if (still?.[MOVE_ATTRIBUTES.moving]?.S !== item[MOVE_ATTRIBUTES.moving]?.S) return true
  }
  return false
}
