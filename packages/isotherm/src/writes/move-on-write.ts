import {
  type AttributeValue,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { MoveSender } from '../attempts/move-sender.js'
import { answered, CHANGED } from '../attempts/outcome.js'
import { requestToken } from '../attempts/request-token.js'
import { RecentlyUsedMap } from '../bounded/recently-used-map.js'
import type { ItemKey } from '../keys/item-key.js'
import { keyText } from '../keys/key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import {
  isNoRoom,
  MOVE_ATTRIBUTES,
  markOfReplacement,
  mayMoveOnWrite,
  moveAhead,
  placementIn,
  type ShardView,
} from '../protocol/index.js'
import { cancelledCreation } from './cancelled-creation.js'
import { metricsAsked, singleOutput } from './create-item.js'
import { isHotSource } from './hot-sources.js'
import type { PlacedWrite, WriteOutcome } from './placed-write.js'
import type { WrittenTable } from './written-table.js'

/** An item that a write has found in a shard. */
interface FoundItem {
  readonly shard: number
  /** The mark of an earlier move. */
  readonly moved: AttributeValue | undefined
}

/**
 * Moves an item that a write has found at its old place, if that place is throttled. So the items that are written most move first,
 * and the heat falls before the pass has reached them. A place that is not throttled is left to the pass: there a move would only
 * delay the write.
 *
 * @returns `undefined` if the item should be written where it is
 * @throws the service's error
 */
export async function moveOnWrite(
  placed: PlacedWrite,
  view: ShardView,
  found: FoundItem,
): Promise<WriteOutcome | undefined> {
  const { call, write, key } = placed
  const { table } = call
  // A delete removes the item from its old place, which costs less than a move.
  if (write.operation === 'DeleteItem' || !isHotAt(table, view, key, found.shard)) return undefined
  const { ReturnValues = 'NONE' } = write.input
  if (write.operation === 'PutItem' && ReturnValues === 'NONE') return replace(placed, view, found)
  await moveOnce(table, key, found.shard)
  return CHANGED
}

/** Whether the shard is an old place of the item that was throttled lately, from which items may move. */
export function isHotAt(table: WrittenTable, view: ShardView, key: ItemKey, shard: number): boolean {
  const home = placementIn(table).home(view, key)
  return home !== shard && mayMoveOnWrite(view) && isHotSource(table, key.logical) && !hadNoRoom(table, key)
}

/**
 * Puts the new item at its new place, and deletes the old item. This needs nothing of the old item except the application's condition,
 * so it costs the throttled partition less than a mark, a move and a write.
 */
async function replace(placed: PlacedWrite, view: ShardView, found: FoundItem): Promise<WriteOutcome> {
  const { call, write, key } = placed
  if (write.operation !== 'PutItem') throw new Error(`A ${write.operation} replaces no item.`)
  const { table, tableName, budget } = call
  const { partitionKey } = table.options
  const home = placementIn(table).home(view, key)
  const mark = markOfReplacement(table.random, { source: found.shard, target: home, before: found.moved?.S })
  const command = new TransactWriteItemsCommand({
    ClientRequestToken: requestToken(table.random),
    TransactItems: [
      {
        Put: {
          TableName: tableName,
          Item: {
            ...write.input.Item,
            ...physicalItemKey(table, key, home),
            [MOVE_ATTRIBUTES.moved]: { S: mark },
          },
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': partitionKey },
        },
      },
      {
        Delete: {
          TableName: tableName,
          Key: physicalItemKey(table, key, found.shard),
          ...placed.conditionWith({ exists: true, unmoved: true }),
        },
      },
    ],
    ...call.capacityAsked,
    ...metricsAsked(write),
  })
  const onThrottle = placed.onThrottleOf(found.shard)
  const outcome = await call.write<TransactWriteItemsCommandOutput>(command, view, onThrottle)
  if (outcome.kind === 'stale') return outcome
  if (outcome.kind === 'answered') {
    placed.accepted()
    return answered(singleOutput(outcome.output))
  }
  const cancelled = cancelledCreation(outcome.error)
  if (cancelled === undefined && !isInvalid(outcome.error)) throw outcome.error
  if (cancelled?.kind === 'refused') {
    const lastWord = await budget.refused(cancelled.refusal, 1, { onThrottle })
    if (lastWord !== undefined) throw lastWord
    return CHANGED
  }
  // The plain write shows why: the item is moving, it is gone, or the application's condition is false. Or it succeeds: the new place
  // has no room for the item, or the item has none for the mark of a replacement.
  return placed.at(view, found.shard, { exists: true, moved: found.moved })
}

/** The service refuses a transaction as a whole if an item is too large. */
function isInvalid(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException'
}

/** How long an item that had no room for a move is written where it is. Each further move would cost the throttled partition a mark. */
const NO_ROOM_MILLISECONDS = 60_000

/** An item that is forgotten costs one more mark. */
const MAX_ITEMS_WITHOUT_ROOM = 1_000

const withoutRoom = new WeakMap<WrittenTable['options'], RecentlyUsedMap<string, number>>()

function noRoomAt(options: WrittenTable['options']): RecentlyUsedMap<string, number> {
  const known = withoutRoom.get(options) ?? new RecentlyUsedMap<string, number>(MAX_ITEMS_WITHOUT_ROOM)
  withoutRoom.set(options, known)
  return known
}

function hadNoRoom({ options, clock }: WrittenTable, key: ItemKey): boolean {
  const at = withoutRoom.get(options)?.get(itemText(key))
  return at !== undefined && clock.now() - at < NO_ROOM_MILLISECONDS
}

function itemText({ logical, sort }: ItemKey): string {
  return `${keyText(logical)} ${JSON.stringify(sort)}`
}

const flights = new WeakMap<WrittenTable['options'], Map<string, Promise<void>>>()

/**
 * Moves an item from a shard to its home. The writers of one process move an item once, and wait for it together. Of several processes,
 * one moves it, and the others find it moved.
 *
 * An item that cannot move because something is full stays where it is, and is written there. See `carryOrUnmark`.
 *
 * @throws the service's error, to the writer that has begun the move
 */
export async function moveOnce(table: WrittenTable, key: ItemKey, source: number): Promise<void> {
  const ofTable = flights.get(table.options) ?? new Map<string, Promise<void>>()
  flights.set(table.options, ofTable)
  const text = itemText(key)
  const flight = ofTable.get(text)
  // After a failure, this writer decides again.
  if (flight !== undefined) return flight.catch(() => {})
  const { maxAttempts } = table.options
  // Without the application's signal, because other writers wait for the same move.
  const sender = new MoveSender(table, { maxAttempts, pace: undefined, signal: undefined })
  const begun = moveAhead(table, sender, { key, source })
    .catch((error: unknown) => {
      if (!isNoRoom(error)) throw error
      noRoomAt(table.options).set(text, table.clock.now())
    })
    .finally(() => ofTable.delete(text))
  ofTable.set(text, begun)
  await begun
}
