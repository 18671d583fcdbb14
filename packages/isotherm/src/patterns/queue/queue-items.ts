import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { drawnIndexShard } from '../index-shards.js'
import type { StoredItem } from '../read-items.js'
import type { Sender } from '../sending/pattern-client.js'
import type { ParsedQueueOptions } from './queue-options.js'

/** A queue as its operations see it. */
export interface QueueTarget {
  readonly db: Sender
  readonly options: ParsedQueueOptions
}

/** The attributes of a queue's items, besides those that its options name. */
export const OWN_ATTRIBUTES: readonly string[] = [
  'payload',
  'entity',
  'attempts',
  'enqueued_at',
  'enqueued_by',
  'not_before',
  'lease',
  'last_error',
  'ended_at',
  'ended_by',
  'redriven_by',
  'next_id',
  'last_id',
]

/** The value of the sort key in every item of a queue, in a table that has one. */
const SORT_VALUE = 'isotherm:queue'

/** The key of an operation's item. */
export function operationKey(options: ParsedQueueOptions, id: string): StoredItem {
  return key(options, `${options.name}#${id}`)
}

/** The key of the item that says which operation of an entity is the last one. */
export function entityKey(options: ParsedQueueOptions, entity: string): StoredItem {
  return key(options, `${options.name}#isotherm#entity#${entity}`)
}

/** The id of an operation, from its item or an entry of the index. */
export function idOf({ partitionKey, name }: ParsedQueueOptions, item: StoredItem): string {
  return (item[partitionKey]?.S ?? '').slice(name.length + 1)
}

/** The value of the index's key for dead letters. */
export function deadKey({ name }: ParsedQueueOptions): AttributeValue {
  return { S: `${name}#dead` }
}

/** A random shard of the index. */
export function pendingKey({ random, name, shards }: ParsedQueueOptions): AttributeValue {
  return { S: drawnIndexShard(random, name, shards) }
}

/**
 * A time in milliseconds, with random digits behind the point. They distinguish one claim of an operation from another: a claim names the time
 * that it saw, and no other claim leaves the same.
 */
export function dueAt({ random }: ParsedQueueOptions, milliseconds: number): AttributeValue {
  const digits = String(Math.floor(random.next() * 1e9)).padStart(9, '0')
  return { N: `${Math.floor(milliseconds)}.${digits}1` }
}

/** What is due in a millisecond is before this. */
export function dueBefore(milliseconds: number): AttributeValue {
  return { N: String(Math.floor(milliseconds) + 1) }
}

function key({ partitionKey, sortKey }: ParsedQueueOptions, value: string): StoredItem {
  const item: Record<string, AttributeValue> = { [partitionKey]: { S: value } }
  if (sortKey !== undefined) item[sortKey] = { S: SORT_VALUE }
  return item
}
