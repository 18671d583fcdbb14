import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import type { Attributes } from './item-operations.js'
import { idOf } from './log-ids.js'
import { type Period, tableFor } from './periods.js'

/** Puts one item, or several in one batch, into the tables of their periods. @returns the ids of those that were not written */
export async function sendAppends(
  db: DynamoDBClient,
  periods: readonly [Period, ...Period[]],
  items: readonly Attributes[],
): Promise<ReadonlySet<number>> {
  const [{ table: keys }] = periods
  const nameFor = (item: Attributes) => tableFor(periods, idOf(keys, item)).name
  const [first, ...others] = items
  if (first !== undefined && others.length === 0) {
    await db.send(new PutItemCommand({ TableName: nameFor(first), Item: first }))
    return new Set()
  }
  const RequestItems: Record<string, WriteRequest[]> = {}
  for (const Item of items) {
    const name = nameFor(Item)
    RequestItems[name] = [...(RequestItems[name] ?? []), { PutRequest: { Item } }]
  }
  const { UnprocessedItems = {} } = await db.send(new BatchWriteItemCommand({ RequestItems }))
  const left = Object.values(UnprocessedItems).flat()
  return new Set(left.map(({ PutRequest }) => idOf(keys, PutRequest?.Item)))
}
