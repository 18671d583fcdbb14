import {
  DeleteItemCommand,
  type DeleteItemCommandOutput,
  PutItemCommand,
  type PutItemCommandOutput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, TRANSACTIONAL_PRICE, writeUnits } from '@isotherm/semantics'
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
import { isSameItem, type StoredItem } from './stored-item.js'

/** A marked item on its way. */
export interface MarkedItem {
  readonly key: ItemKey
  readonly source: number
  /** The whole item as it is stored at the source, mark included. */
  readonly item: StoredItem
  /** Whether the copy at the source may be deleted where the target has another item of the key. */
  readonly discards: boolean
  /** Whether it was met by the pass that empties shards: the target of the move is still to come then, if it is one of them. */
  readonly isInPass: boolean
}

/**
 * `gone`: others have moved or deleted it. `two-copies`: the target has another item, and both are left as they are. `waits`: it is
 * left to the pass. `stale`: without transactions, this process stood still, and others may have finished the move; it is decided
 * again.
 */
export type CarriedOver = 'moved' | 'gone' | 'two-copies' | 'waits' | 'stale'

/** What came of a copy. `occupied`: another item is at the target. */
type Placed = Exclude<CarriedOver, 'two-copies'> | 'occupied'

/** How often a target is looked at anew because it changed between two looks, and how many targets a copy may try. */
const MAX_LOOKS = 8

/**
 * Carries a marked item over to its target: its copy is put there where nothing is, and the marked one deleted, at once. It
 * may be done by anybody, any number of times, at any time later: the mark has a name that no other move has.
 *
 * Where the target has an item of this key already, a request that came later than `lateRequests` allows has made one.
 * Two equal items are one: the marked copy is deleted. Two different ones are two: with a random suffix they were two
 * before, so the marked one goes to another shard. With a calculated suffix the target's is the item from now on, the marked
 * one stays where it is, and the change of the count does not settle until people have looked: deleting
 * either could lose what somebody wrote.
 *
 * @throws the service's error
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
    // Whoever was quicker may have moved the item, and somebody written to it since: then this is it. The cancellation alone does
    // not tell, where the place that it left is just part of another transaction.
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
  const units = 2 * TRANSACTIONAL_PRICE * unitsOf(item)
  const outcome = await sender.send<TransactWriteItemsCommandOutput>(command, units)
  if (outcome.kind === 'failed') {
    const [ofPut, ofDelete] = cancellationCodes(outcome.error)
    if (ofDelete === 'ConditionalCheckFailed') return 'gone'
    if (ofPut === 'ConditionalCheckFailed') return 'occupied'
  }
  answerOf(outcome)
  return 'moved'
}

/**
 * Without transactions there are two copies for a moment, the marked one and the other. Readers take the other; a
 * deletion of the other that comes while two processes finish the same move may be undone by the slower.
 */
async function copyThenDelete(
  table: MovingTable,
  sender: MoveSender,
  { key, source, item, isInPass }: MarkedItem,
  name: MoveName,
): Promise<Placed> {
  // A shard is emptied when all views of before are over. So a copy that one of them lets through is moved on, and one that comes
  // too late for its view is not put: others may have finished the move, and the shard been forgotten. Into a shard that is
  // being emptied only the pass puts one. Another target would not do: a copy may be on its way to this one.
  const { shards, validUntil } = await table.views.forWrite(key.logical)
  const still = await itemAt(table, sender, key, source)
  if (still?.[MOVE_ATTRIBUTES.moving]?.S !== name.text) return 'gone'
  if (!isInPass && table.placementKind === 'random' && name.target > shards) return 'waits'
  const command = new PutItemCommand(putOf(table, { key, source, item }, name))
  const outcome = await sender.send<PutItemCommandOutput>(command, unitsOf(item), validUntil)
  if (outcome.kind === 'stale') return 'stale'
  if (outcome.kind !== 'answered') {
    if (!isRefusedByCondition(outcome.error)) throw outcome.error
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
  const outcome = await sender.send<DeleteItemCommandOutput>(command, unitsOf(item))
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
 * With a random suffix any other shard in use will do, below the count whose lowering made the item leave: the pass that drains
 * shards comes to the lower ones later. Whoever reads relies on that count, also when the key has grown again since.
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

/** An item always has a size here: it came from the service. */
function unitsOf(item: StoredItem): number {
  return writeUnits(itemBytes(item as unknown as Item))
}
