import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { CommandError, EXIT_FAILED } from './command-error.js'
import { isPassing, patiently } from './data-files/patience.js'
import { endpointFailure } from './endpoint-failure.js'
import { printable, writeLine } from './terminal.js'

type Item = Record<string, AttributeValue>

/** How a table is sampled. */
export interface SampledScanOptions {
  readonly table: string
  /** About how many items. */
  readonly items: number
  readonly signal: AbortSignal
  /** For a line when the sample first waits for capacity of the table. */
  readonly err: NodeJS.WritableStream
}

/** Items of a sample, and the read units that it took. */
export interface ScannedSample {
  readonly items: readonly Item[]
  /** Whether these are all items of the table. */
  readonly isWhole: boolean
  readonly readUnits: number
}

/**
 * Few items from each of many segments: the segments begin at different places in the order of the hashed keys. One scan
 * from the start would see the first partition only.
 */
const ITEMS_PER_PAGE = 5
const MAX_SEGMENTS = 400
const SMALL_TABLE = 250

/** A sample of a table, by eventually consistent reads from all over the table. */
export async function sampledScan(
  client: DynamoDBClient,
  { table, items: wanted, signal, err }: SampledScanOptions,
): Promise<ScannedSample> {
  let isThrottled = false
  const onRest = () => {
    if (isThrottled) return
    isThrottled = true
    writeLine(err, `isotherm: reads of ${printable(table)} are throttled; the sample waits for capacity`)
  }
  const first = await scanned(client, signal, onRest, {
    TableName: table,
    Limit: SMALL_TABLE,
    ReturnConsumedCapacity: 'TOTAL',
  })
  let readUnits = first.ConsumedCapacity?.CapacityUnits ?? 0
  // A small table is read whole, which is cheaper than a request for each segment.
  if (first.LastEvaluatedKey === undefined) {
    const all = first.Items ?? []
    return { items: all.slice(0, wanted), isWhole: all.length <= wanted, readUnits }
  }
  const segments = Math.max(1, Math.min(MAX_SEGMENTS, Math.ceil(wanted / ITEMS_PER_PAGE)))
  const starts = new Map<number, Item | undefined>()
  for (let segment = 0; segment < segments; segment++) starts.set(segment, undefined)
  const items: Item[] = []
  while (items.length < wanted && starts.size > 0) {
    const left = wanted - items.length
    const limit = Math.max(1, Math.min(1_000, Math.ceil(left / starts.size)))
    for (const [segment, start] of [...starts]) {
      if (items.length >= wanted) break
      const page = await scanned(client, signal, onRest, {
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
    }
  }
  return { items, isWhole: starts.size === 0, readUnits }
}

async function scanned(
  client: DynamoDBClient,
  signal: AbortSignal,
  onRest: () => void,
  input: ConstructorParameters<typeof ScanCommand>[0],
) {
  try {
    return await patiently(() => client.send(new ScanCommand(input), { abortSignal: signal }), signal, onRest)
  } catch (cause) {
    signal.throwIfAborted()
    const subject = `The table ${input.TableName} cannot be sampled`
    if (!isPassing(cause)) throw endpointFailure(subject, cause)
    const { name, message } = cause as Error
    const cure = 'Try again when the table has capacity left, or with a smaller --sample.'
    throw new CommandError(`${subject}: ${name}: ${message} ${cure}`, EXIT_FAILED, { cause })
  }
}
