import { StaleView } from '../../attempts/attempt-guard.js'
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

/**
 * Moves the item to its home, unless it is there already. A random key's item is at home in any shard in use; if it is marked there,
 * from when the shard was none, the move that was begun is finished and no other one begun.
 */
export async function moveItem(
  table: MovingTable,
  sender: MoveSender,
  { key, source, isMarked, discards, currentView }: LeavingItem,
): Promise<CarriedOver['outcome'] | 'stays'> {
  for (;;) {
    const view = await currentView()
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
    try {
      const name = newMoveName(table.random, home)
      const { validUntil } = view
      const item = isAtHome
        ? await itemAt(table, sender, key, source)
        : await markItem(table, sender, { key, source, name, before: undefined, validUntil })
      if (item?.[MOVE_ATTRIBUTES.moving] === undefined) return 'gone'
      return (await carryOver(table, sender, { key, source, item, discards, isInPass: true })).outcome
    } catch (error) {
      // Throttles take time, and the view may end meanwhile. A fresh one says whether the item still has to move.
      if (!(error instanceof StaleView)) throw error
    }
  }
}
