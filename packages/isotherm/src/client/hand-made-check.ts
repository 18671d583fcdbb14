import { DescribeTableCommand, type DescribeTableCommandOutput } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { sampledItems } from '../adopting/sampled-items.js'
import { type Misfit, type MisfitReason, SchemeCensus } from '../adopting/scheme-census.js'
import { traitsOf } from '../adopting/table-traits.js'
import { pacedSender } from '../attempts/paced-sender.js'
import { invalidOption, refuseUnknown, requireInteger, requireText } from '../options/check.js'
import { requireUnshardedClient } from '../options/given-client.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { fixedView, placementIn } from '../protocol/index.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import { mergedParts } from './merged-parts.js'
import type { ShardedTableOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import type { ParsedTable } from './parsed-options.js'
import { indexes } from './parts.js'
import { shardNamesOf } from './shard-names-of.js'

/** Options of `checkHandMade`. */
export interface HandMadeCheckOptions {
  /** The table's name. */
  readonly table: string
  /** The table's options, as in the options of `isotherm`, with a suffix of `handMade`. */
  readonly options: ShardedTableOptions
  /** The number of items to sample, 1 to 1,000,000. A smaller table is read as a whole. The default is 1,000. */
  readonly items?: number | undefined
  /** The read units per second that the check may consume, 10 to 10,000. The default is 100. */
  readonly unitsPerSecond?: number | undefined
  /** Ends the check after the current page. The report then covers the items that were read. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items. */
  readonly onProgress?: ((progress: { readonly items: number; readonly found: number }) => void) | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

/** The result of `checkHandMade`. */
export interface HandMadeReport {
  readonly table: string
  /** The name of the scheme. */
  readonly scheme: string
  /**
   * Whether the library finds every sampled item where it is. `undefined` for a table without items, about which a check
   * says nothing.
   */
  readonly fits: boolean | undefined
  /** The number of items read. */
  readonly items: number
  /** The number of items among them that the library finds. */
  readonly found: number
  /** The number of items that it does not find, by reason. */
  readonly misfits: Readonly<Record<MisfitReason, number>>
  /** The first of them, up to 20. */
  readonly examples: readonly Misfit[]
  /** The number of shards in which items were found. With many items and few of the shards, the count may be too high. */
  readonly shardsSeen: number
  /** The shard count of the options. */
  readonly shards: number
}

const KNOWN_OPTIONS = [
  'table',
  'options',
  'items',
  'unitsPerSecond',
  'signal',
  'onProgress',
  'clock',
  'random',
]
const MAX_ITEMS = 1_000_000
const NAME = 'checkHandMade'

/**
 * Checks by sampling whether the library finds the items of a table that was sharded by hand, with the names and the
 * placement of `handMade`. It reads keys and writes nothing.
 *
 * @param client the original client, not the one that `isotherm` returns. It needs the permissions
 * `dynamodb:DescribeTable` and `dynamodb:Scan`
 * @throws IsothermError `options.*`, and the SDK's own errors
 * @example
 * const { fits, found, items, examples } = await checkHandMade(client, { table: 'votes', options: tables.votes })
 */
export async function checkHandMade(
  client: { readonly config: object; readonly middlewareStack: object },
  given: HandMadeCheckOptions,
): Promise<HandMadeReport> {
  requireUnshardedClient(client)
  refuseUnknown(NAME, given, KNOWN_OPTIONS)
  const { signal, onProgress, clock = new SystemClock(), random = new SystemRandom() } = given
  const table = requireText(`${NAME}.table`, given.table, "the table's name")
  const most = requireInteger(`${NAME}.items`, given.items ?? 1_000, 1, MAX_ITEMS)
  const unitsPerSecond = requireDrainRate(`${NAME}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const parts = mergedParts([indexes], { calculated })
  const [options] = parseOptions({ tables: { [table]: given.options }, clock, random }, parts).tables
  if (options?.handMade === undefined || options.shards.kind === 'dynamic') {
    throw invalidOption(
      `${NAME}.options`,
      options?.suffix,
      "the table's options, with suffix: handMade({ ... })",
    )
  }
  const physical = client as unknown as PhysicalClient
  const ofAbout = await described(physical, options)
  const shards = options.shards.count()
  const { name: scheme, placement } = options.handMade
  const placeOf =
    placement === 'random'
      ? undefined
      : (key: Parameters<ReturnType<typeof placementIn>['home']>[1]) =>
          placementIn({ options }).home(fixedView(shards), key)
  const census = new SchemeCensus(options, shardNamesOf(options), placeOf)
  const sender = pacedSender({ client: physical, clock, random, unitsPerSecond, signal: undefined })
  const [first, second] = [options.partitionKey, options.sortKey]
  const pages = sampledItems(sender, random, {
    TableName: table,
    ProjectionExpression: second === undefined ? '#first' : '#first, #second',
    ExpressionAttributeNames: { '#first': first, ...(second === undefined ? {} : { '#second': second }) },
    ofAbout,
  })
  for await (const items of pages) {
    for (const item of items.slice(0, most - census.items)) census.add(item)
    onProgress?.({ items: census.items, found: census.found })
    if (signal?.aborted || census.items >= most) break
  }
  const { items, found, misfits, examples } = census
  const fits = items === 0 ? undefined : found === items
  return { table, scheme, fits, items, found, misfits, examples, shardsSeen: census.shards, shards }
}

/**
 * @returns the number of items, as the service knows it
 * @throws IsothermError `options.invalid` if the table has other keys
 */
async function described(
  client: PhysicalClient,
  { name, partitionKey, sortKey }: ParsedTable,
): Promise<number> {
  const command = new DescribeTableCommand({ TableName: name })
  const { Table = {} } = (await client.send(command)) as DescribeTableCommandOutput
  const actual = traitsOf(Table, undefined)
  for (const [option, value] of Object.entries({ partitionKey, sortKey })) {
    const key = option === 'sortKey' ? actual.sortKey : actual.partitionKey
    if (value === key) continue
    throw invalidOption(`${NAME}.options.${option}`, value, `${key ?? 'left out'}, as in the table ${name}`)
  }
  return Table.ItemCount ?? 0
}
