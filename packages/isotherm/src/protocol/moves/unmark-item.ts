import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { BackgroundClock } from '../../attempts/background-clock.js'
import { MoveSender } from '../../attempts/move-sender.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import { phaseMilliseconds } from '../states/drive-rules.js'
import { type CarriedOver, carryOver, type MarkedItem } from './carry-over.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MovingTable } from './moving-table.js'
import { isNoRoom } from './no-room.js'
import { storedUnits } from './stored-item.js'

/**
 * Moves a marked item. If the item has no room, takes its mark off again, because no write of the application changes a marked item.
 *
 * Other processes may have read the mark, and may put the copy at any later time. They do so in one transaction with the deletion of
 * the item that has this mark. So the mark must never come back under the same name, on other content of the item.
 *
 * @param isFinal whether no attempt to set this mark can arrive any more
 * @throws IsothermError `move.no-room`; the error of the service
 */
export async function carryOrUnmark(
  table: MovingTable,
  sender: MoveSender,
  marked: MarkedItem,
  isFinal: () => boolean | Promise<boolean>,
): Promise<CarriedOver> {
  try {
    return await carryOver(table, sender, marked)
  } catch (error) {
    // Without transactions, the copy of another process may be at the target already.
    if (isNoRoom(error) && table.options.transactions && (await isFinal()))
      await unmark(table, sender, marked)
    throw error
  }
}

/** If it fails, the mark stays, and the next process that meets it tries the move. */
async function unmark(
  table: MovingTable,
  sender: MoveSender,
  { key, source, item }: MarkedItem,
): Promise<void> {
  const name = item[MOVE_ATTRIBUTES.moving]
  if (name === undefined) return
  const command = new UpdateItemCommand({
    TableName: table.options.name,
    Key: physicalItemKey(table, key, source),
    UpdateExpression: 'REMOVE #moving',
    ConditionExpression: '#moving = :name',
    ExpressionAttributeNames: { '#moving': MOVE_ATTRIBUTES.moving },
    ExpressionAttributeValues: { ':name': name },
  })
  await sender.send(command, storedUnits(item)).catch(() => {})
}

/** Items whose mark this process takes off later. More of them are left to the next process that meets one. */
const MAX_LATER = 100

const taking = new WeakMap<MovingTable['options'], Set<string>>()

/**
 * Takes the mark of an item without room off when no attempt to set it can arrive any more. The process that has set it may have ended,
 * and until then every write of the item is refused.
 */
export function unmarkLater(table: MovingTable, marked: MarkedItem): void {
  const name = marked.item[MOVE_ATTRIBUTES.moving]?.S
  const names = taking.get(table.options) ?? new Set<string>()
  if (name === undefined || names.has(name) || names.size >= MAX_LATER) return
  taking.set(table.options, names.add(name))
  const { client, clock, random, options } = table
  const { maxAttempts } = options
  const sends = { client, clock: new BackgroundClock(clock), random, options }
  const sender = new MoveSender(sends, { maxAttempts, pace: undefined, signal: undefined })
  // The process that has set the mark had its view by now.
  sender
    .pause(phaseMilliseconds(options))
    .then(() => unmark(table, sender, marked))
    // A clock that cannot sleep takes no mark off. The next process that meets it does.
    .catch(() => {})
    .finally(() => names.delete(name))
}
