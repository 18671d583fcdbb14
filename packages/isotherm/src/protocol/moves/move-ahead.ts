import type { UnansweredLog } from '../../attempts/attempt-guard.js'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { placementIn } from '../placement/placement-in.js'
import { mayMoveOnWrite } from '../states/shard-view.js'
import { isFinalMark, markItem } from './mark-item.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { newMoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'
import { carryOrUnmark } from './unmark-item.js'

/**
 * Moves an item of a calculated key to its home before the pass reaches it. Does nothing if items do not move from that shard any
 * more.
 *
 * @throws IsothermError `move.no-room`; the error of the service
 */
export async function moveAhead(
  table: MovingTable,
  sender: MoveSender,
  { key, source }: { readonly key: ItemKey; readonly source: number },
): Promise<void> {
  const placement = placementIn(table)
  const view = await table.views.forWrite(key.logical)
  const home = placement.home(view, key)
  if (!mayMoveOnWrite(view) || home === source || !placement.candidates(view, key).includes(source)) return
  const name = newMoveName(table.random, home)
  const { validUntil } = view
  const log: UnansweredLog = { unanswered: undefined }
  const item = await markItem(table, sender, { key, source, name, before: undefined, validUntil, log })
  // The caller decides again in any case, also if the view has expired because the mark was throttled.
  if (item === 'stale' || item?.[MOVE_ATTRIBUTES.moving] === undefined) return
  const marked = { key, source, item, discards: false, isInPass: false }
  await carryOrUnmark(table, sender, marked, () => isFinalMark(item, name, log))
}
