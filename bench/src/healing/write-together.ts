import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  type PutItemInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { CALL, type Calls } from './calls.js'
import { itemAt, TABLE } from './fleet-world.js'
import type { Shape } from './shape.js'

/**
 * Puts the members of one batch or transaction.
 * @param nextItem returns the number of an item. A request has no item twice.
 * @returns how many members have failed
 */
export async function writeTogether(
  db: DynamoDBClient,
  { write, members = 1, itemBytes }: Shape,
  calls: Calls,
  { clock, nextItem }: { readonly clock: Clock; readonly nextItem: () => number },
): Promise<number> {
  const numbers = new Set<number>()
  while (numbers.size < members) numbers.add(nextItem())
  const begun = new Map([...numbers].map((at) => [calls.begin(clock.now()), at]))
  const items = [...begun].map(
    ([id, at]): NonNullable<PutItemInput['Item']> => ({
      ...itemAt(at, itemBytes),
      [CALL]: { S: id },
    }),
  )
  const failed = await (write === 'batch' ? putBatch(db, items) : putTransaction(db, items)).catch(() => [
    ...begun.keys(),
  ])
  for (const id of begun.keys()) calls.end(id, !failed.includes(id), clock.now())
  return failed.length
}

type Items = readonly NonNullable<PutItemInput['Item']>[]

/** @returns the calls of unprocessed members */
async function putBatch(db: DynamoDBClient, items: Items): Promise<readonly string[]> {
  const requests = items.map((Item) => ({ PutRequest: { Item } }))
  const { UnprocessedItems = {} } = await db.send(
    new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }),
  )
  return (UnprocessedItems[TABLE] ?? []).map(({ PutRequest }) => PutRequest?.Item?.[CALL]?.S ?? '')
}

/** An application sends a transaction again that has met another one at an item, whatever the heat. */
const MAX_CONFLICTS = 10

async function putTransaction(db: DynamoDBClient, items: Items): Promise<readonly string[]> {
  const TransactItems = items.map((Item) => ({ Put: { TableName: TABLE, Item } }))
  for (let conflicts = 0; ; conflicts++) {
    try {
      await db.send(new TransactWriteItemsCommand({ TransactItems }))
      return []
    } catch (error) {
      if (conflicts >= MAX_CONFLICTS || !hasOnlyConflicts(error)) throw error
    }
  }
}

function hasOnlyConflicts(error: unknown): boolean {
  if (!(error instanceof TransactionCanceledException)) return false
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
  return (
    codes.includes('TransactionConflict') &&
    codes.every((code) => ['TransactionConflict', 'None'].includes(code ?? ''))
  )
}
