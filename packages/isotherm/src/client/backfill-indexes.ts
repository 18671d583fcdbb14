import {
  type AttributeValue,
  DescribeTableCommand,
  type DescribeTableCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { traitsOf } from '../adopting/table-traits.js'
import { reasonWhenAborted } from '../attempts/reason-when-aborted.js'
import { type BackfillProgress, backfill } from '../indexes/backfill.js'
import { openIndexCounts } from '../indexes/index-counts.js'
import { keyOfType } from '../keys/key-of-type.js'
import { invalidOption, refuseUnknown, requireText } from '../options/check.js'
import { requireUnshardedClient } from '../options/given-client.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { placementKindOf } from '../options/sharded-table.js'
import { clientByTable } from '../sdk/client-by-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import { mergedParts } from './merged-parts.js'
import type { IndexedTableOptions, ShardedTableOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { indexes } from './parts.js'
import { shardMapClients } from './shard-map-option.js'
import { shardNamesOf } from './shard-names-of.js'

/** Options of `backfillIndexes`. */
export interface BackfillIndexesOptions {
  /** The table's name. */
  readonly table: string
  /** The table's options, as in the options of `isotherm`. */
  readonly options: ShardedTableOptions | IndexedTableOptions
  /** The capacity units per second that the backfill may consume, 10 to 10,000. The default is 100. */
  readonly unitsPerSecond?: number | undefined
  /** The `lastKey` in the progress of a stopped backfill, to resume it. */
  readonly startKey?: Record<string, AttributeValue> | undefined
  /** Aborts the backfill. It can be resumed later. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items. */
  readonly onProgress?: ((progress: BackfillProgress) => void) | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

/**
 * Adds existing items to their sharded indexes. Start it when every process that writes to the table has the option
 * `indexes`, and query the indexes only when it is complete. It can be stopped, resumed and repeated at any time.
 *
 * @param client the original client, not the one that `isotherm` returns. If counts of the table's keys may change, it needs the permissions
 * `dynamodb:DescribeTable` and `dynamodb:Query` on the table, and `dynamodb:GetItem` and `dynamodb:Scan` on the shard map, besides `dynamodb:Scan` and
 * `dynamodb:UpdateItem` on the table
 * @throws IsothermError `options.*`, `counts.migrating`, `shard-map.missing`; the signal's reason, and the SDK's own errors
 * @example await backfillIndexes(client, { table: 'files', options: tables.files, unitsPerSecond: 200 })
 */
export async function backfillIndexes(
  client: { readonly config: object; readonly middlewareStack: object },
  given: BackfillIndexesOptions,
): Promise<BackfillProgress> {
  requireUnshardedClient(client)
  const name = 'backfillIndexes'
  const known = ['table', 'options', 'unitsPerSecond', 'startKey', 'signal', 'onProgress', 'clock', 'random']
  refuseUnknown(name, given, known)
  const { startKey, signal, onProgress, clock = new SystemClock(), random = new SystemRandom() } = given
  const tables = { [requireText(`${name}.table`, given.table, "the table's name")]: given.options }
  const parsed = parseOptions({ tables, clock, random }, mergedParts([indexes], { calculated }))
  const [options] = parsed.tables
  if (options === undefined) throw invalidOption(`${name}.options`, given.options, "the table's options")
  const physical = clientByTable(client as unknown as PhysicalClient, shardMapClients([options]))
  const unitsPerSecond = requireDrainRate(`${name}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const suffix = shardNamesOf(options)
  const { indexes: ofTable } = options
  const keyed = { options, suffix, placementKind: placementKindOf(options) }
  const table = { ...keyed, client: physical, clock, random, emit: () => {} }
  const opening = { table, destroyed: signal ?? new AbortController().signal }
  const like = options.itemsMayMove ? keyOfType(await keyTypeOf(physical, options.name)) : undefined
  const work = backfill(
    { ...keyed, indexes: ofTable, indexCounts: openIndexCounts(ofTable, opening), indexChecks: new Map() },
    { client: physical, clock, random, unitsPerSecond, signal, startKey, onProgress, like },
  )
  return reasonWhenAborted(signal, work)
}

async function keyTypeOf(client: PhysicalClient, TableName: string): Promise<string> {
  const { Table = {} } = (await client.send(
    new DescribeTableCommand({ TableName }),
  )) as DescribeTableCommandOutput
  return traitsOf(Table, undefined).keyType
}
