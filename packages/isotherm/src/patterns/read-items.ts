import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  GetItemCommand,
  type GetItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { backoffMilliseconds } from '../attempts/backoff.js'
import { concurrently } from '../bounded/concurrently.js'
import { send } from './send.js'
import type { Sender } from './sending/pattern-client.js'
import { type Patience, untilTaken } from './until-taken.js'

/** An item, or its key, with low-level values. */
export type StoredItem = Readonly<Record<string, AttributeValue>>

/** Items that a BatchGetItem request takes. */
const MAX_BATCH = 100
const BATCHES_AT_A_TIME = 4

/** Reads an item, consistently unless that does not matter. */
export async function readItem(
  db: Sender,
  patience: Patience,
  TableName: string,
  Key: StoredItem,
  ConsistentRead = true,
): Promise<StoredItem | undefined> {
  const input = { TableName, Key, ConsistentRead }
  const { Item } = await untilTaken(patience, () =>
    send<GetItemCommandOutput>(db, new GetItemCommand(input), patience.signal),
  )
  return Item
}

/**
 * Reads items, each as it is at some moment of the call, and consistently unless that does not matter. Those that do not exist are left
 * out. A key that is given twice, as by an index that still has an earlier entry of an item, is read once.
 */
export async function readItems(
  db: Sender,
  patience: Patience,
  table: string,
  keys: readonly StoredItem[],
  isConsistent = true,
): Promise<readonly StoredItem[]> {
  const distinct = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  const batches = Array.from({ length: Math.ceil(distinct.length / MAX_BATCH) }, (_, index) =>
    distinct.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  )
  const found: StoredItem[] = []
  await concurrently(batches, BATCHES_AT_A_TIME, async (batch) => {
    found.push(...(await readBatch(db, patience, table, batch, isConsistent)))
  })
  return found
}

async function readBatch(
  db: Sender,
  patience: Patience,
  table: string,
  keys: readonly StoredItem[],
  isConsistent: boolean,
): Promise<readonly StoredItem[]> {
  const found: StoredItem[] = []
  const until = patience.clock.now() + patience.timeoutMilliseconds
  let left = [...keys]
  for (let round = 0; ; round++) {
    const input = { RequestItems: { [table]: { Keys: left, ConsistentRead: isConsistent } } }
    const { Responses, UnprocessedKeys } = await untilTaken(patience, () =>
      send<BatchGetItemCommandOutput>(db, new BatchGetItemCommand(input), patience.signal),
    )
    found.push(...(Responses?.[table] ?? []))
    left = UnprocessedKeys?.[table]?.Keys ?? []
    if (left.length === 0) return found
    // One by one, each has the throttling error that a batch does not have.
    if (patience.clock.now() >= until)
      return [...found, ...(await readOneByOne(db, patience, table, left, isConsistent))]
    await patience.clock.sleep(backoffMilliseconds(patience.random, round), patience.signal)
  }
}

async function readOneByOne(
  db: Sender,
  patience: Patience,
  table: string,
  keys: readonly StoredItem[],
  isConsistent: boolean,
): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = []
  for (const key of keys) {
    const item = await readItem(db, patience, table, key, isConsistent)
    if (item !== undefined) items.push(item)
  }
  return items
}
