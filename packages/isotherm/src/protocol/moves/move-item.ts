import type { UnansweredLog } from '../../attempts/attempt-guard.js'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { placementIn } from '../placement/placement-in.js'
import { phaseMilliseconds } from '../states/drive-rules.js'
import { requireInvariant } from '../states/invariant.js'
import { mayMoveOnWrite, type ShardView } from '../states/shard-view.js'
import type { CarriedOver } from './carry-over.js'
import { itemAt } from './item-at.js'
import { isFinalMark, markItem } from './mark-item.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { newMoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'
import type { StoredItem } from './stored-item.js'
import { carryOrUnmark } from './unmark-item.js'

/** An item in a shard that items leave. */
export interface LeavingItem {
  readonly key: ItemKey
  readonly source: number
  readonly isMarked: boolean
  readonly discards: boolean
  /** Returns a view of the shard map that has not expired. */
  readonly currentView: () => Promise<ShardView>
}

/** `found`: the item at its source, if it was found with a mark; `undefined` for an item without one. */
type FoundItem = Omit<LeavingItem, 'isMarked'> & { readonly found: StoredItem | undefined }

/**
 * - `stays`: the item is at home, and not marked.
 * - `mark-lost`: the item does not have the mark of the move any more.
 */
type MoveOutcome = CarriedOver | 'stays' | 'mark-lost'

/**
 * Moves the item to its home, unless it is there already. An item of a random key is at home in any shard in use. If it has a mark
 * there, from a time when the shard was not in use, this finishes the earlier move and begins no new one.
 *
 * @throws IsothermError `move.no-room`; the error of the service
 */
export async function moveItem(
  table: MovingTable,
  sender: MoveSender,
  item: LeavingItem,
): Promise<Exclude<MoveOutcome, 'stale' | 'mark-lost'>> {
  let { isMarked } = item
  for (;;) {
    // A marked item is only read: a second mark would be refused, and charged, and the partition may be full.
    const found = isMarked ? await itemAt(table, sender, item.key, item.source) : undefined
    if (isMarked && found === undefined) return 'gone'
    // At a low rate, a view from before the wait would have expired after it, each time.
    await sender.turn()
    const outcome = await moveOnView(table, sender, { ...item, found }, await item.currentView())
    if (outcome === 'stale') {
      // The view may expire during throttling. A new view shows whether the item still has to move. If it has expired after the
      // mark, the mark is of this pass.
      isMarked = true
    } else if (outcome === 'mark-lost') {
      // Another process has moved or deleted the item, or a write that is later than `lateRequests` allows has replaced it. This
      // pass has read the shard, and no other one will.
      const still = await itemAt(table, sender, item.key, item.source)
      if (still === undefined) return 'gone'
      isMarked = still[MOVE_ATTRIBUTES.moving] !== undefined
    } else return outcome
  }
}

async function moveOnView(
  table: MovingTable,
  sender: MoveSender,
  { key, source, found, discards }: FoundItem,
  view: ShardView,
): Promise<MoveOutcome> {
  const placement = placementIn(table)
  const home = placement.home(view, key)
  requireInvariant(
    (mayMoveOnWrite(view) || view.state?.phase === 'retired') &&
      placement.candidates(view, key).includes(home),
    'moves',
    { home, view },
  )
  const isAtHome = table.placementKind === 'random' ? source <= view.shards : source === home
  if (isAtHome && found === undefined) return 'stays'
  const name = newMoveName(table.random, home)
  const { validUntil } = view
  const isNew = found?.[MOVE_ATTRIBUTES.moving] === undefined && !isAtHome
  // A key may have no room for the name of this shard. An item that was marked all the same could neither move nor be deleted.
  if (isNew) table.suffix.add(key.logical, home)
  const log: UnansweredLog = { unanswered: undefined }
  const item = isNew
    ? await markItem(table, sender, { key, source, name, before: undefined, validUntil, log })
    : found
  if (item === 'stale') return item
  // Some engines do not say why a mark is refused: the item is gone, or it has a mark, even that of this process after a lost response.
  if (item?.[MOVE_ATTRIBUTES.moving] === undefined) return isNew ? 'mark-lost' : 'gone'
  const marked = { key, source, item, discards, isInPass: true }
  const outcome = await carryOrUnmark(table, sender, marked, async () => {
    // The process that has set another mark did so on a view that it had by now.
    if (!isFinalMark(item, name, log)) await sender.pause(phaseMilliseconds(table.options))
    return true
  })
  return outcome === 'gone' ? 'mark-lost' : outcome
}
