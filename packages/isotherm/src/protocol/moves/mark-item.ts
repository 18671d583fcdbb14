import {
  type AttributeValue,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import type { MoveName } from './move-name.js'
import type { MovingTable } from './moving-table.js'
import type { StoredItem } from './stored-item.js'

/** The item that a move is about, and what it is called. */
export interface Marking {
  readonly key: ItemKey
  readonly source: number
  readonly name: MoveName
  /** The name that the item's mark has now; `undefined` for an item without one. */
  readonly before: MoveName | undefined
  /** The mark is not set from then on. */
  readonly validUntil: number
}

/** One write unit, for an item of the usual size. */
const MARK_UNITS = 1

/**
 * Marks the item as being moved: from then on no write of the application touches it.
 *
 * @returns the item as it is marked now, under this name or under that of another move that was first; `undefined` when
 * it is there no more; `stale` when it was too late to mark it
 * @throws the service's error
 */
export async function markItem(
  table: MovingTable,
  sender: MoveSender,
  { key, source, name, before, validUntil }: Marking,
): Promise<StoredItem | undefined | 'stale'> {
  const { partitionKey } = table.options
  const names = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  const values: Record<string, AttributeValue> = { ':name': { S: name.text } }
  if (before !== undefined) values[':before'] = { S: before.text }
  const command = new UpdateItemCommand({
    TableName: table.options.name,
    Key: physicalItemKey(table, key, source),
    UpdateExpression: 'SET #moving = :name',
    ConditionExpression: `attribute_exists(#key) AND ${before === undefined ? 'attribute_not_exists(#moving)' : '#moving = :before'}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  const outcome = await sender.send<UpdateItemCommandOutput>(command, MARK_UNITS, validUntil)
  if (outcome.kind === 'stale') return 'stale'
  if (outcome.kind === 'answered') return outcome.output.Attributes
  if (isRefusedByCondition(outcome.error)) return outcome.error.Item
  throw outcome.error
}
