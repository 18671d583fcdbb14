import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { isPassing, MAX_TRIES, rest } from './patience.js'
import type { Item } from './read-items.js'

const BATCH = 25
const IN_FLIGHT = 8

interface Writing {
  /** The same text for items that replace each other. They are written one after the other. */
  readonly keyOf: (item: Item) => string
  readonly signal: AbortSignal
  readonly onProgress: (items: number) => void
}

/**
 * Writes items to a table, several batches at a time. Of items with the same key the last one stays.
 *
 * @returns how many were written
 */
export async function writeItems(
  client: DynamoDBClient,
  table: string,
  items: AsyncIterable<Item>,
  { keyOf, signal, onProgress }: Writing,
): Promise<number> {
  const running = new Set<Promise<void>>()
  const keysUnderWay = new Set<string>()
  let written = 0
  let failure: unknown
  let batch = new Map<string, WriteRequest>()
  const begin = () => {
    if (batch.size === 0) return
    const begun = batch
    batch = new Map()
    for (const key of begun.keys()) keysUnderWay.add(key)
    const writing: Promise<void> = writeBatch(client, table, [...begun.values()], signal)
      .then(
        () => {
          written += begun.size
          onProgress(written)
        },
        (error: unknown) => {
          failure ??= error
        },
      )
      .finally(() => {
        running.delete(writing)
        for (const key of begun.keys()) keysUnderWay.delete(key)
      })
    running.add(writing)
  }
  try {
    for await (const item of items) {
      signal.throwIfAborted()
      const key = keyOf(item)
      // The service refuses a batch that has a key twice, and batches that run together end in any order.
      if (batch.has(key)) begin()
      while (keysUnderWay.has(key)) await Promise.race(running)
      if (failure !== undefined) break
      batch.set(key, { PutRequest: { Item: item } })
      if (batch.size < BATCH) continue
      begin()
      if (running.size >= IN_FLIGHT) await Promise.race(running)
    }
    if (failure === undefined) begin()
  } finally {
    // Also after a line that cannot be read: nothing is written behind the error.
    await Promise.all(running)
  }
  if (failure !== undefined) throw failure
  return written
}

async function writeBatch(
  client: DynamoDBClient,
  table: string,
  batch: readonly WriteRequest[],
  abortSignal: AbortSignal,
): Promise<void> {
  let waiting = [...batch]
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: waiting } })
    const { UnprocessedItems } = await client.send(command, { abortSignal }).catch((error: unknown) => {
      // A batch of which no item was taken is an exception.
      if (isPassing(error)) return { UnprocessedItems: { [table]: waiting } }
      throw error
    })
    // Of one table, whose name there may be instead of the ARN in the request.
    const left = Object.values(UnprocessedItems ?? {}).flat()
    if (left.length === 0) return
    // Large items in a small table go one by one.
    if (left.length < waiting.length) tries = 0
    waiting = left
    await rest(tries, abortSignal)
  }
  throw new CommandError(
    `${waiting.length} items of a batch for ${table} were refused ${MAX_TRIES} times in a row; raise the capacity of the table.`,
    EXIT_FAILED,
  )
}
