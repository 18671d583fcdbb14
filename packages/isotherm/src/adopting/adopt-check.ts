import {
  type AttributeValue,
  DescribeTableCommand,
  type DescribeTableCommandOutput,
  DescribeTimeToLiveCommand,
  type DescribeTimeToLiveCommandOutput,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import type { MoveSender } from '../attempts/move-sender.js'
import { pacedSender } from '../attempts/paced-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { type LogicalKey, plainKey, type SuffixableKey } from '../keys/key.js'
import { refuseUnknown, requireText } from '../options/check.js'
import { requireUnshardedClient } from '../options/given-client.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { parseDelimiter } from '../options/table-defaults.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { KeyCensus } from './key-census.js'
import { type TableTraits, traitsOf } from './table-traits.js'

/** Options of `adoptCheck`. */
export interface AdoptCheckOptions {
  /** The table's name. */
  readonly table: string
  /** The delimiter to use in the options. The default is `_`. */
  readonly delimiter?: string | undefined
  /** The read units per second that the check may consume, 10 to 10,000. The default is 100. */
  readonly unitsPerSecond?: number | undefined
  /** The `lastKey` in the report of an aborted check, to resume it. The report then covers only the keys after it. */
  readonly startKey?: Record<string, AttributeValue> | undefined
  /** Aborts the check after the current page. The report contains the position to resume from. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items. */
  readonly onProgress?: ((progress: { readonly items: number; readonly ofAbout: number }) => void) | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

/** A key that an adopted table would reject, because it could be a shard of another key. */
export interface AmbiguousKey {
  readonly key: string | Uint8Array
  /** The key of which it could be a shard. */
  readonly shorter: string | Uint8Array
  /**
   * Whether the table has items under the shorter key. If so, queries of the shorter key would return items of the
   * longer one.
   */
  readonly hasShorter: boolean
}

/** The result of `adoptCheck`. */
export interface AdoptReport extends TableTraits {
  readonly table: string
  readonly delimiter: string
  /**
   * Whether the table can be adopted with this delimiter. `undefined` when the check was aborted before it was known. `false`
   * without reading an item if the partition key is a number, or if there is no sort key: then each partition key has one item,
   * which cannot be spread over shards.
   */
  readonly isAdoptable: boolean | undefined
  /** The number of items read. */
  readonly items: number
  /** The number of distinct partition keys among them. */
  readonly keys: number
  /** The number of keys that an adopted table would reject. */
  readonly ambiguousKeys: number
  /** The first ambiguous keys, up to 20. */
  readonly ambiguousExamples: readonly AmbiguousKey[]
  /** The number of keys that leave no room for the longest suffix. */
  readonly keysTooLong: number
  /**
   * The number of keys that begin with `isotherm:`. With `dynamicShards` a table rejects them, because they are
   * reserved for the shard map.
   */
  readonly reservedKeys: number
  /** A delimiter that occurs in no key. `undefined` when every candidate occurs in some key. */
  readonly suggestedDelimiter: string | undefined
  /** The position to resume from. `undefined` when all items were read. */
  readonly lastKey: Record<string, AttributeValue> | undefined
}

/** The cost of an eventually consistent query for one item. */
const QUERY_UNITS = 1

/**
 * Checks whether a table with items can be sharded in place, with `adopt: true`. It reads the keys of all items and
 * writes nothing. Items that are added while it runs may be missed.
 *
 * @param client a `DynamoDBClient` or `DynamoDBDocumentClient`. It needs the permissions `dynamodb:DescribeTable`,
 * `dynamodb:DescribeTimeToLive`, `dynamodb:Scan` and `dynamodb:Query`.
 * @throws IsothermError `options.*`, and the SDK's own errors
 * @example
 * const { isAdoptable, suggestedDelimiter } = await adoptCheck(client, { table: 'audit_log' })
 */
export async function adoptCheck(
  client: { readonly config: object; readonly middlewareStack: object },
  options: AdoptCheckOptions,
): Promise<AdoptReport> {
  requireUnshardedClient(client)
  const name = 'adoptCheck'
  const known = [
    'table',
    'delimiter',
    'unitsPerSecond',
    'startKey',
    'signal',
    'onProgress',
    'clock',
    'random',
  ]
  refuseUnknown(name, options, known)
  const table = requireText(`${name}.table`, options.table, "the table's name")
  const delimiter = parseDelimiter(`${name}.delimiter`, options.delimiter)
  const { signal, startKey, clock = new SystemClock(), random = new SystemRandom() } = options
  const physical = client as unknown as PhysicalClient
  const unitsPerSecond = requireDrainRate(`${name}.unitsPerSecond`, options.unitsPerSecond ?? 100)
  // The signal does not abort requests. The current page is completed, so that the report covers whole pages.
  const sender = pacedSender({ client: physical, clock, random, unitsPerSecond, signal: undefined })
  const { traits, ofAbout } = await described(physical, table)
  const { partitionKey } = traits
  const census = new KeyCensus(table, delimiter)
  const report = { ...traits, table, delimiter }
  if (traits.keyType === 'N' || traits.sortKey === undefined)
    return { ...report, isAdoptable: false, ...census.result, ambiguousExamples: [], lastKey: undefined }
  let lastKey = startKey
  const pages = pagesOf(sender, undefined, {
    TableName: table,
    ProjectionExpression: '#key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExclusiveStartKey: startKey,
  })
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    for (const { [partitionKey]: key } of Items) census.add(key as SuffixableKey)
    lastKey = LastEvaluatedKey
    options.onProgress?.({ items: census.result.items, ofAbout })
    if (signal?.aborted) break
  }
  const ambiguousExamples: AmbiguousKey[] = []
  for (const { key, shorter } of census.examples) {
    ambiguousExamples.push({
      key: plainKey(key as LogicalKey),
      shorter: plainKey(shorter),
      hasShorter: await hasItems(sender, traits, table, shorter),
    })
  }
  const { result } = census
  const isRefused = result.ambiguousKeys + result.keysTooLong + result.reservedKeys > 0
  const isComplete = lastKey === undefined && startKey === undefined
  return {
    ...report,
    isAdoptable: isRefused ? false : isComplete || undefined,
    ...result,
    ambiguousExamples,
    lastKey,
  }
}

async function hasItems(
  sender: MoveSender,
  { partitionKey }: TableTraits,
  table: string,
  key: LogicalKey,
): Promise<boolean> {
  // A key is never empty, so no table has one.
  if (plainKey(key).length === 0) return false
  const command = new QueryCommand({
    TableName: table,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':key': { ...key } },
    Limit: 1,
    Select: 'COUNT',
  })
  const { Count = 0 } = await sender.answer<QueryCommandOutput>(command, QUERY_UNITS)
  return Count > 0
}

async function described(client: PhysicalClient, TableName: string) {
  const { Table } = (await client.send(new DescribeTableCommand({ TableName }))) as DescribeTableCommandOutput
  // Other engines may lack the operation, or the role may lack the permission.
  const timeToLive = await client
    .send(new DescribeTimeToLiveCommand({ TableName }))
    .then((output: DescribeTimeToLiveCommandOutput) => output.TimeToLiveDescription?.AttributeName)
    .catch(() => undefined)
  if (Table === undefined) throw new TypeError(`${TableName} was not described.`)
  return { traits: traitsOf(Table, timeToLive), ofAbout: Table.ItemCount ?? 0 }
}
