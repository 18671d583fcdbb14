import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { placementIn } from '../placement/placement-in.js'
import { requireInvariant } from '../states/invariant.js'
import type { ShardView } from '../states/shard-view.js'
import { type CarriedOver, carryOver } from './carry-over.js'
import { itemAt } from './item-at.js'
import { markItem } from './mark-item.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { newMoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'

/** An item in a shard that items leave. */
export interface LeavingItem {
  readonly key: ItemKey
  readonly source: number
  readonly isMarked: boolean
  readonly discards: boolean
  /** What the shard map says now, as far as this process may rely on it. */
  readonly currentView: () => Promise<ShardView>
}

/** `stays`: it is at home, and not marked. */
type MoveOutcome = CarriedOver | 'stays'

/**
 * Moves the item to its home, unless it is there already. A random key's item is at home in any shard in use; if it is marked there,
 * from when the shard was none, the move that was begun is finished and no other one begun.
 */
export async function moveItem(
  table: MovingTable,
  sender: MoveSender,
  item: LeavingItem,
): Promise<Exclude<MoveOutcome, 'stale'>> {
  for (;;) {
    const outcome = await moveOnView(table, sender, item, await item.currentView())
    // Throttles take time, and the view may end meanwhile. A fresh one says whether the item still has to move.
    if (outcome !== 'stale') return outcome
  }
}

async function moveOnView(
  table: MovingTable,
  sender: MoveSender,
  { key, source, isMarked, discards }: LeavingItem,
  view: ShardView,
): Promise<MoveOutcome> {
  const placement = placementIn(table)
  const home = placement.home(view, key)
  requireInvariant(
    (view.state?.phase === 'moved' || view.state?.phase === 'retired') &&
      placement.candidates(view, key).includes(home),
    'moves',
    { home, view },
  )
  const isAtHome = table.placementKind === 'random' ? source <= view.shards : source === home
  if (isAtHome && !isMarked) return 'stays'
  const name = newMoveName(table.random, home)
  const { validUntil } = view
  const item = isAtHome
    ? await itemAt(table, sender, key, source)
    : await markItem(table, sender, { key, source, name, before: undefined, validUntil })
  if (item === 'stale') return item
  if (item?.[MOVE_ATTRIBUTES.moving] === undefined) return 'gone'
  return carryOver(table, sender, { key, source, item, discards, isInPass: true })
}
