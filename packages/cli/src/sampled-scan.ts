import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { CommandError, EXIT_FAILED } from './command-error.js'

type Item = Record<string, AttributeValue>

/** How a table is sampled. */
export interface SampledScanOptions {
  readonly table: string
  /** About how many items. */
  readonly items: number
  readonly signal: AbortSignal
  readonly onProgress?: (items: number) => void
}

/** Items of a sample, and the read units that it took. */
export interface ScannedSample {
  readonly items: readonly Item[]
  readonly readUnits: number
}

/**
 * Few items from each of many segments: a segment begins at a place of its own in the order of the hashed keys. One scan
 * from the start would see the first partition only.
 */
const ITEMS_PER_PAGE = 5
const MAX_SEGMENTS = 400
const SMALL_TABLE = 250

/** A sample of a table, by eventually consistent reads from all over the table. */
export async function sampledScan(
  client: DynamoDBClient,
  { table, items: wanted, signal, onProgress }: SampledScanOptions,
): Promise<ScannedSample> {
  const first = await scanned(client, signal, {
    TableName: table,
    Limit: SMALL_TABLE,
    ReturnConsumedCapacity: 'TOTAL',
  })
  let readUnits = first.ConsumedCapacity?.CapacityUnits ?? 0
  // A small table is read whole, which is cheaper than a request for each segment.
  if (first.LastEvaluatedKey === undefined) return { items: (first.Items ?? []).slice(0, wanted), readUnits }
  const segments = Math.max(1, Math.min(MAX_SEGMENTS, Math.ceil(wanted / ITEMS_PER_PAGE)))
  const starts = new Map<number, Item | undefined>()
  for (let segment = 0; segment < segments; segment++) starts.set(segment, undefined)
  const items: Item[] = []
  while (items.length < wanted && starts.size > 0) {
    const left = wanted - items.length
    const limit = Math.max(1, Math.min(1_000, Math.ceil(left / starts.size)))
    for (const [segment, start] of [...starts]) {
      if (items.length >= wanted) break
      const page = await scanned(client, signal, {
        TableName: table,
        Segment: segment,
        TotalSegments: segments,
        Limit: limit,
        ReturnConsumedCapacity: 'TOTAL',
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      })
      items.push(...(page.Items ?? []))
      readUnits += page.ConsumedCapacity?.CapacityUnits ?? 0
      if (page.LastEvaluatedKey === undefined) starts.delete(segment)
      else starts.set(segment, page.LastEvaluatedKey)
      onProgress?.(items.length)
    }
  }
  return { items, readUnits }
}

async function scanned(
  client: DynamoDBClient,
  signal: AbortSignal,
  input: ConstructorParameters<typeof ScanCommand>[0],
) {
  try {
    return await client.send(new ScanCommand(input), { abortSignal: signal })
  } catch (cause) {
    signal.throwIfAborted()
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    throw new CommandError(`The table ${input.TableName} cannot be sampled: ${reason}`, EXIT_FAILED, {
      cause,
    })
  }
}
