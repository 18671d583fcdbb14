import {
  type AttributeValue,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { UnansweredLog } from '../../attempts/attempt-guard.js'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'
import { explained } from './no-room.js'
import { type StoredItem, storedUnits } from './stored-item.js'

/** The item to move, and the name of the move. */
export interface Marking {
  readonly key: ItemKey
  readonly source: number
  readonly name: MoveName
  /** The name in the item's current mark; `undefined` for an item without a mark. */
  readonly before: MoveName | undefined
  /** The time from which the mark must not be set. */
  readonly validUntil: number
  /** Records an attempt to set the mark that had no response, and may still arrive. */
  readonly log?: UnansweredLog | undefined
}

const SETS_MARK = 'SET #moving = :name'

/** The least cost of a write. Only the answer shows what the item costs. */
const LEAST_UNITS = 1

/**
 * Marks the item as moving. From then on, no write of the application changes it.
 *
 * @returns the marked item, with this name or the name of another move that was first; `undefined` if the item no longer exists;
 * `stale` if it was too late to mark the item
 * @throws IsothermError `move.no-room` if the item, or its shard, has no room for the mark; the error of the service
 */
export async function markItem(
  table: MovingTable,
  sender: MoveSender,
  { key, source, name, before, validUntil, log }: Marking,
): Promise<StoredItem | undefined | 'stale'> {
  const { partitionKey } = table.options
  const names = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  const values: Record<string, AttributeValue> = { ':name': { S: name.text } }
  if (before !== undefined) values[':before'] = { S: before.text }
  const command = new UpdateItemCommand({
    TableName: table.options.name,
    Key: physicalItemKey(table, key, source),
    UpdateExpression: SETS_MARK,
    ConditionExpression: `attribute_exists(#key) AND ${before === undefined ? 'attribute_not_exists(#moving)' : '#moving = :before'}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  const outcome = await sender.send<UpdateItemCommandOutput>(command, LEAST_UNITS, validUntil, log)
  if (outcome.kind === 'stale') return 'stale'
  if ('error' in outcome && !isRefusedByCondition(outcome.error))
    throw explained(table, { key, source, target: name.target }, source, outcome.error)
  const item = outcome.kind === 'answered' ? outcome.output.Attributes : itemOfRefusal(outcome.error)
  // A refused write costs as much as one that was accepted.
  if (item !== undefined) sender.spent(storedUnits(item) - LEAST_UNITS)
  return item
}

/** @returns `undefined` from an engine that does not return the item */
function itemOfRefusal(error: unknown): StoredItem | undefined {
  return isRefusedByCondition(error) ? error.Item : undefined
}

/** Whether the item has the mark of this name, and every attempt to set it had a response. So none can arrive later. */
export function isFinalMark(item: StoredItem, name: MoveName, log: UnansweredLog): boolean {
  return item[MOVE_ATTRIBUTES.moving]?.S === name.text && log.unanswered === undefined
}

/** Whether the input of a command is that of `markItem`. No application can mention the attribute in an update. */
export function setsMark(
  input: Partial<Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'>>,
): boolean {
  return (
    input.UpdateExpression === SETS_MARK &&
    input.ExpressionAttributeNames?.['#moving'] === MOVE_ATTRIBUTES.moving
  )
}
