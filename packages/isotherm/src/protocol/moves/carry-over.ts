import {
  DeleteItemCommand,
  type DeleteItemCommandOutput,
  PutItemCommand,
  type PutItemCommandOutput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { TRANSACTIONAL_PRICE } from '@isotherm/semantics'
import type { MoveSender } from '../../attempts/move-sender.js'
import { answerOf } from '../../attempts/outcome.js'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ItemKey } from '../../keys/item-key.js'
import { plainKey } from '../../keys/key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import { cancellationCodes } from '../../sdk/transaction-errors.js'
import { countBelow } from '../states/shard-view.js'
import { itemAt } from './item-at.js'
import { markItem } from './mark-item.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { copyMark, isMarkOf, type MoveName, newMoveName, readMoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'
import { explained } from './no-room.js'
import { isSameItem, type StoredItem, storedUnits } from './stored-item.js'

/** A marked item that is moving. */
export interface MarkedItem {
  readonly key: ItemKey
  readonly source: number
  /** The whole item as it is stored at the source, mark included. */
  readonly item: StoredItem
  /** Whether the copy at the source may be deleted if the target has a different item of the key. */
  readonly discards: boolean
  /** Whether the pass that empties shards found the item. If the target is also being emptied, the pass has not reached it yet. */
  readonly isInPass: boolean
}

/**
 * - `moved`: the item is at its target.
 * - `gone`: another process has moved or deleted the item.
 * - `two-copies`: the target has a different item, and both stay unchanged.
 * - `waits`: the move is left to the pass that empties shards.
 * - `stale`: without transactions, this process paused for too long, and another may have finished the move. The caller decides
 *   again.
 */
export type CarriedOver = 'moved' | 'gone' | 'two-copies' | 'waits' | 'stale'

/** The result of a copy. `occupied`: another item is at the target. */
type Placed = Exclude<CarriedOver, 'two-copies'> | 'occupied'

/** Limits how often a target is read again because it changed between two reads, and how many targets a copy may try. */
const MAX_LOOKS = 8

/**
 * Moves a marked item to its target: puts a copy there if the target has no such item, and deletes the marked copy. With
 * transactions, both happen at once. Any process may do this, any number of times and at any later time, because the mark has a
 * name that no other move has.
 *
 * If the target already has an item of this key, a request that was later than `lateRequests` allows has created it:
 *
 * - If both items are equal, the marked copy is deleted.
 * - If they differ and the suffix is random, they were two items before, so the marked one moves to another shard.
 * - If they differ and the suffix is calculated, the one at the target is the item from now on. The marked one stays where it is,
 *   and the change does not settle until an operator has examined both, because deleting either could lose a write.
 *
 * @throws IsothermError `move.no-room` if the item has no room for a move, or its target none for the item; the error of the service
 */
export async function carryOver(
  table: MovingTable,
  sender: MoveSender,
  marked: MarkedItem,
): Promise<CarriedOver> {
  let { item } = marked
  for (let look = 0; look < MAX_LOOKS; look++) {
    const name = nameOf(table, item)
    const { target } = name
    const result = await copyAndDelete(table, sender, { ...marked, item }, name)
    if (result !== 'occupied') return result
    const other = await itemAt(table, sender, marked.key, target)
    if (other === undefined) continue
    if (isSameItem(table.options, item, other)) {
      // mark: equal-copies-are-one
      return deleteMarked(table, sender, marked, name)
    }
    // Another process may have moved the item, and the application may have written to it since. Then `other` is the moved item.
    // The cancellation alone does not show this if the old place is part of another transaction at the same moment.
    const still = await itemAt(table, sender, marked.key, marked.source)
    const mark = still?.[MOVE_ATTRIBUTES.moving]?.S
    if (still === undefined || mark === undefined) return 'gone'
    if (mark !== name.text) {
      item = still
      continue
    }
    if (marked.discards) {
      tellTwoCopies(table, marked, target, 'discarded')
      return deleteMarked(table, sender, marked, name)
    }
    const next = await otherTarget(table, marked, target)
    if (next === undefined) {
      tellTwoCopies(table, marked, target, 'kept')
      return 'two-copies'
    }
    const { key, source } = marked
    const renamed = newMoveName(table.random, next)
    const again = await markItem(table, sender, {
      key,
      source,
      name: renamed,
      before: name,
      validUntil: Number.POSITIVE_INFINITY,
    })
    if (again === 'stale') return again
    if (again?.[MOVE_ATTRIBUTES.moving] === undefined) return 'gone'
    item = again
  }
  tellTwoCopies(table, marked, nameOf(table, item).target, 'kept')
  return 'two-copies'
}

async function copyAndDelete(
  table: MovingTable,
  sender: MoveSender,
  marked: MarkedItem,
  name: MoveName,
): Promise<Placed> {
  if (!table.options.transactions) return copyThenDelete(table, sender, marked, name)
  const { key, source, item } = marked
  const command = new TransactWriteItemsCommand({
    ClientRequestToken: requestToken(table.random),
    TransactItems: [
      { Put: putOf(table, { key, source, item }, name) },
      // mark: move-deletes-its-source
      { Delete: deleteOf(table, key, source, name) },
    ],
  })
  const units = 2 * TRANSACTIONAL_PRICE * storedUnits(item)
  const outcome = await sender.send<TransactWriteItemsCommandOutput>(command, units)
  if (outcome.kind === 'failed') {
    const [ofPut, ofDelete] = cancellationCodes(outcome.error)
    if (ofDelete === 'ConditionalCheckFailed') return 'gone'
    if (ofPut === 'ConditionalCheckFailed') return 'occupied'
    throw explained(table, { key, source, target: name.target }, name.target, outcome.error)
  }
  answerOf(outcome)
  return 'moved'
}

/**
 * Without transactions, the marked copy and the new copy exist together for a moment. Readers use the new copy. If the application
 * deletes the new copy while two processes finish the same move, the slower process may undo that deletion.
 */
async function copyThenDelete(
  table: MovingTable,
  sender: MoveSender,
  { key, source, item, isInPass }: MarkedItem,
  name: MoveName,
): Promise<Placed> {
  // The pass empties a shard after all earlier views have expired, so it also moves a copy that was put on such a view. A copy
  // that is too late for its view is not put, because another process may have finished the move, and readers may have stopped
  // reading the shard. Only the pass puts copies into a shard that is being emptied. Choosing another target is not safe, because
  // a copy may already be on its way to this one.
  const { shards, validUntil } = await table.views.forWrite(key.logical)
  const still = await itemAt(table, sender, key, source)
  if (still?.[MOVE_ATTRIBUTES.moving]?.S !== name.text) return 'gone'
  if (!isInPass && table.placementKind === 'random' && name.target > shards) return 'waits'
  const command = new PutItemCommand(putOf(table, { key, source, item }, name))
  const outcome = await sender.send<PutItemCommandOutput>(command, storedUnits(item), validUntil)
  if (outcome.kind === 'stale') return 'stale'
  if (outcome.kind !== 'answered') {
    if (!isRefusedByCondition(outcome.error))
      throw explained(table, { key, source, target: name.target }, name.target, outcome.error)
    const other = await itemAt(table, sender, key, name.target)
    if (!isMarkOf(name, other?.[MOVE_ATTRIBUTES.moved]?.S)) return 'occupied'
  }
  return deleteMarked(table, sender, { key, source, item }, name)
}

async function deleteMarked(
  table: MovingTable,
  sender: MoveSender,
  { key, source, item }: Pick<MarkedItem, 'key' | 'source' | 'item'>,
  name: MoveName,
): Promise<'moved' | 'gone'> {
  const command = new DeleteItemCommand(deleteOf(table, key, source, name))
  const outcome = await sender.send<DeleteItemCommandOutput>(command, storedUnits(item))
  if (outcome.kind === 'failed' && isRefusedByCondition(outcome.error)) return 'gone'
  answerOf(outcome)
  return 'moved'
}

function putOf(
  table: MovingTable,
  { key, source, item }: Pick<MarkedItem, 'key' | 'source' | 'item'>,
  name: MoveName,
): {
  TableName: string
  Item: StoredItem
  ConditionExpression: string
  ExpressionAttributeNames: Record<string, string>
} {
  // mark: copy-loses-the-name-of-its-move
  const { [MOVE_ATTRIBUTES.moving]: _mark, ...content } = item
  return {
    TableName: table.options.name,
    Item: {
      ...content,
      ...physicalItemKey(table, key, name.target),
      [MOVE_ATTRIBUTES.moved]: { S: copyMark(source, name, item[MOVE_ATTRIBUTES.moved]?.S) },
    },
    // mark: move-replaces-nothing
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': table.options.partitionKey },
  }
}

function deleteOf(table: MovingTable, key: ItemKey, source: number, name: MoveName) {
  return {
    TableName: table.options.name,
    Key: physicalItemKey(table, key, source),
    ConditionExpression: '#moving = :name',
    ExpressionAttributeNames: { '#moving': MOVE_ATTRIBUTES.moving },
    ExpressionAttributeValues: { ':name': { S: name.text } },
  }
}

/**
 * Returns another target for an item of a random key: any other shard in use below the lowered count because of which the item
 * leaves. The pass that drains shards reaches lower shards later. Readers rely on that count, even after the key has grown again.
 */
async function otherTarget(
  table: MovingTable,
  { key: { logical }, source }: Pick<MarkedItem, 'key' | 'source'>,
  target: number,
): Promise<number | undefined> {
  if (table.placementKind === 'calculated') return undefined
  const view = await table.views.forWrite(logical)
  const next = (target % Math.min(view.shards, countBelow(view, source))) + 1
  return next === target ? undefined : next
}

function nameOf(table: MovingTable, item: StoredItem): MoveName {
  const mark = item[MOVE_ATTRIBUTES.moving]
  const name = readMoveName(mark?.S)
  if (name !== undefined) return name
  throw new IsothermError(
    'move.malformed',
    `An item of ${table.options.name} has ${MOVE_ATTRIBUTES.moving} ${JSON.stringify(mark)}, which no move writes. Remove the attribute from the item.`,
    { table: table.options.name, value: mark },
  )
}

function tellTwoCopies(
  table: MovingTable,
  { key, source }: MarkedItem,
  target: number,
  sourceCopy: 'kept' | 'discarded',
): void {
  table.emit({
    type: 'two-copies',
    table: table.options.name,
    logicalKey: plainKey(key.logical),
    sortKey: key.sort,
    source,
    target,
    sourceCopy,
    at: table.clock.now(),
  })
}
