import { DescribeTableCommand, type DescribeTableCommandOutput } from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { traitsOf } from '../adopting/table-traits.js'
import { reasonWhenAborted } from '../attempts/reason-when-aborted.js'
import { keyOfType } from '../keys/key-of-type.js'
import { invalidOption, refuseUnknown, requireBoolean, requireText } from '../options/check.js'
import { requireUnshardedClient } from '../options/given-client.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { ensureShardMap } from '../protocol/index.js'
import { indexedValuesOf } from '../rebuilding/indexed-values.js'
import { rebuild } from '../rebuilding/rebuild.js'
import type { RebuildProgress, RebuildReport } from '../rebuilding/rebuild-report.js'
import { clientByTable } from '../sdk/client-by-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import { mergedParts } from './merged-parts.js'
import type { ShardedTableOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { indexes, rebalancing } from './parts.js'
import { shardMapClients } from './shard-map-option.js'
import { shardNamesOf } from './shard-names-of.js'

/** Options of `rebuildShardMap`. */
export interface RebuildShardMapOptions {
  /** The table's name. */
  readonly table: string
  /** The table's options with `dynamicShards`, as every process has them. */
  readonly options: ShardedTableOptions
  /** Whether to write nothing, and only report. The default is `false`. */
  readonly dryRun?: boolean | undefined
  /**
   * Whether the rebuild may replace a card with other settings. Use it if the shard map was rebuilt with wrong options before. Processes
   * with the settings of the replaced card are refused afterwards. The default is `false`.
   */
  readonly replaceCard?: boolean | undefined
  /** The capacity units per second that the rebuild may consume, 10 to 10,000. The default is 100. */
  readonly unitsPerSecond?: number | undefined
  /** Stops the rebuild. The same call resumes it. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items. */
  readonly onProgress?: ((progress: RebuildProgress) => void) | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

const NAME = 'rebuildShardMap'
const KNOWN_OPTIONS = [
  'table',
  'options',
  'dryRun',
  'replaceCard',
  'unitsPerSecond',
  'signal',
  'onProgress',
  'clock',
  'random',
]

/**
 * Rebuilds the shard map of a table from its items, after it was deleted, emptied or restored. It creates the shard map if it does not
 * exist. Keys that have the initial count get no item.
 *
 * The application may run meanwhile. From the beginning to the end, processes use nothing of the shard map: new random items go to the
 * first shard of their key, reads use the last known counts for `staleReads`, and other requests wait and fail. Afterwards they
 * continue by themselves.
 *
 * The rebuild reads the keys of the whole table once, and with a calculated suffix the shards of the keys with several shards once
 * more. If a change of a count was not complete, the processes complete it afterwards. Items that no count explains are reported, and
 * then the shard map stays unusable.
 *
 * @param client the original client, not the one that `isotherm` returns. It needs the permissions `dynamodb:DescribeTable`,
 * `dynamodb:Scan` and `dynamodb:Query` on the table, and all of the shard map's with `dynamodb:DeleteItem`
 * @throws IsothermError `options.*`, `card.differs`, `rebuild.overtaken`, `items.elsewhere`; the signal's reason, and the SDK's own errors
 * @example
 * const { isRebuilt, keys, unexplained } = await rebuildShardMap(client, { table: 'orders', options: tables.orders })
 */
export async function rebuildShardMap(
  client: { readonly config: object; readonly middlewareStack: object },
  given: RebuildShardMapOptions,
): Promise<RebuildReport> {
  requireUnshardedClient(client)
  refuseUnknown(NAME, given, KNOWN_OPTIONS)
  const { signal, onProgress, clock = new SystemClock(), random = new SystemRandom() } = given
  const name = requireText(`${NAME}.table`, given.table, "the table's name")
  const isDryRun = requireBoolean(`${NAME}.dryRun`, given.dryRun ?? false)
  const replacesCard = requireBoolean(`${NAME}.replaceCard`, given.replaceCard ?? false)
  const unitsPerSecond = requireDrainRate(`${NAME}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const parts = mergedParts([indexes, rebalancing], { calculated })
  const [options] = parseOptions({ tables: { [name]: given.options }, clock, random }, parts).tables
  if (options === undefined || options.shards.kind === 'fixed') {
    throw invalidOption(
      `${NAME}.options`,
      options?.shards,
      "the table's options, with dynamicShards({ ... })",
    )
  }
  const physical = clientByTable(client as unknown as PhysicalClient, shardMapClients([options]))
  const described = (await physical.send(
    new DescribeTableCommand({ TableName: name }),
  )) as DescribeTableCommandOutput
  const { keyType } = traitsOf(described.Table ?? {}, undefined)
  if (!isDryRun) await ensureShardMap(physical, { table: name, shardMap: options.shardMap, clock })
  const work = rebuild(
    {
      options,
      suffix: shardNamesOf(options),
      initial: options.shards.initial,
      like: keyOfType(keyType),
      ...indexedValuesOf(options, options.indexes),
    },
    { client: physical, clock, random, unitsPerSecond, signal, isDryRun, replacesCard, onProgress },
  )
  return reasonWhenAborted(signal, work)
}
