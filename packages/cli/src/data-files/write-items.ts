import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { SystemClock } from '@isotherm/runtime'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import type { Item } from './read-items.js'

const BATCH = 25
const IN_FLIGHT = 8
const MAX_TRIES = 60
const PAUSE_MILLISECONDS = 100
const MAX_PAUSE_MILLISECONDS = 5_000

/** Writes items to a table, several batches at a time. @returns how many were written */
export async function writeItems(
  client: DynamoDBClient,
  table: string,
  items: AsyncIterable<Item>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (items: number) => void },
): Promise<number> {
  const running = new Set<Promise<void>>()
  let written = 0
  let failure: unknown
  const begin = (batch: readonly WriteRequest[]) => {
    const writing: Promise<void> = writeBatch(client, table, batch, signal)
      .then(
        () => {
          written += batch.length
          onProgress(written)
        },
        (error: unknown) => {
          failure ??= error
        },
      )
      .finally(() => running.delete(writing))
    running.add(writing)
  }
  let batch: WriteRequest[] = []
  for await (const item of items) {
    signal.throwIfAborted()
    batch.push({ PutRequest: { Item: item } })
    if (batch.length < BATCH) continue
    begin(batch)
    batch = []
    if (running.size >= IN_FLIGHT) await Promise.race(running)
    if (failure !== undefined) break
  }
  if (batch.length > 0 && failure === undefined) begin(batch)
  await Promise.all(running)
  if (failure !== undefined) throw failure
  return written
}

async function writeBatch(
  client: DynamoDBClient,
  table: string,
  batch: readonly WriteRequest[],
  abortSignal: AbortSignal,
): Promise<void> {
  const clock = new SystemClock()
  let waiting = [...batch]
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: waiting } })
    const { UnprocessedItems } = await client.send(command, { abortSignal })
    waiting = UnprocessedItems?.[table] ?? []
    if (waiting.length === 0) return
    await clock.sleep(Math.min(MAX_PAUSE_MILLISECONDS, PAUSE_MILLISECONDS * 2 ** tries), abortSignal)
  }
  throw new CommandError(
    `${waiting.length} items of a batch for ${table} were refused ${MAX_TRIES} times; raise the capacity of the table.`,
    EXIT_FAILED,
  )
}
