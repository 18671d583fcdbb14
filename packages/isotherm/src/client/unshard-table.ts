import {
  DescribeTableCommand,
  type DescribeTableCommandOutput,
  type DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { pacedSender } from '../attempts/paced-sender.js'
import { reasonWhenAborted } from '../attempts/reason-when-aborted.js'
import { keyOfType } from '../keys/key-of-type.js'
import { invalidOption, refuseUnknown, requireBoolean, requireText } from '../options/check.js'
import { requireDrainRate } from '../options/shard-limits.js'
import { MovedKeys } from '../scans/moved-keys.js'
import { clientByTable } from '../sdk/client-by-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { copyItems, deleteOthers, type Mirrored, type MirrorProgress } from '../unsharding/mirror-items.js'
import { EVERYTHING } from './everything.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'
import { parseOptions } from './parse-options.js'
import { shardMapClients } from './shard-map-option.js'

/** Options of `unshardTable`. */
export interface UnshardTableOptions {
  /** The name of the sharded table. */
  readonly table: string
  /** The options of the sharded table, as every process has them. */
  readonly options: ShardedTableOptions
  /** The name of an existing plain table with the same key attributes. */
  readonly to: string
  /**
   * Whether to delete items of the plain table that the sharded table does not have: those that were deleted since an earlier copy.
   * The default is `false`.
   */
  readonly deleteOthers?: boolean | undefined
  /** The capacity units per second that the copy may consume, 10 to 10,000. The default is 100. */
  readonly unitsPerSecond?: number | undefined
  /** Stops the copy. The same call continues it, and reads again what is copied already. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of items. */
  readonly onProgress?: ((progress: MirrorProgress) => void) | undefined
  /** The clock. The default is the system clock. */
  readonly clock?: Clock | undefined
  /** The random source. The default is the system's. */
  readonly random?: Random | undefined
}

const NAME = 'unshardTable'
const KNOWN_OPTIONS = [
  'table',
  'options',
  'to',
  'deleteOthers',
  'unitsPerSecond',
  'signal',
  'onProgress',
  'clock',
  'random',
]

/**
 * Copies the items of a sharded table to a plain one, under their logical keys and without the attributes of the library, so that an application can
 * continue without the library.
 *
 * The sharded table is only read. Copy while the application runs, then stop its writes and call this again: only what has changed since is
 * written. After that call the tables are equal, if `deleteOthers` is set, also if items are moved meanwhile. Indexes, streams and the time to live of the plain
 * table are those that it was created with.
 *
 * @param client the original low-level client, not the one that `isotherm` returns. It needs the permissions `dynamodb:DescribeTable`,
 * `dynamodb:GetItem` and `dynamodb:PutItem` on the plain table, with `deleteOthers` also `dynamodb:Scan` and `dynamodb:DeleteItem`, and those of a reader
 * with `dynamodb:Scan` on the sharded one and its shard map
 * @throws IsothermError `options.*`, `card.differs` and others of a first request; `counts.migrating`; the signal's reason, and the SDK's own errors
 * @example
 * const { scanned, copied } = await unshardTable(client, { table: 'orders', options: tables.orders, to: 'orders_plain' })
 */
export async function unshardTable(
  client: Pick<DynamoDBClient, 'config' | 'middlewareStack' | 'send' | 'destroy'>,
  given: UnshardTableOptions,
): Promise<MirrorProgress> {
  refuseUnknown(NAME, given, KNOWN_OPTIONS)
  const { signal, onProgress, clock = new SystemClock(), random = new SystemRandom() } = given
  const source = requireText(`${NAME}.table`, given.table, "the sharded table's name")
  const target = requireText(`${NAME}.to`, given.to, "the plain table's name")
  if (target === source) throw invalidOption(`${NAME}.to`, target, `another table than ${source}`)
  const deletesOthers = requireBoolean(`${NAME}.deleteOthers`, given.deleteOthers ?? false)
  const unitsPerSecond = requireDrainRate(`${NAME}.unitsPerSecond`, given.unitsPerSecond ?? 100)
  const sharded = isotherm(client as DynamoDBClient, { tables: { [source]: given.options }, clock, random })
  const [parsed] = parseOptions({ tables: { [source]: given.options }, clock, random }, EVERYTHING).tables
  const physical = clientByTable(
    client as unknown as PhysicalClient,
    shardMapClients(parsed === undefined ? [] : [parsed]),
  )
  const described = await Promise.all([source, target].map((name) => tableOf(physical, name)))
  const [arn, plainArn] = described.map(({ TableArn }) => TableArn)
  // One of the names may be an ARN.
  if (arn !== undefined && arn === plainArn) {
    throw invalidOption(`${NAME}.to`, target, `another table than ${source}`)
  }
  const [keys, plainKeys] = described.map(keysOf)
  if (keys === undefined || String(keys) !== String(plainKeys)) {
    const rule = `a table with the key of ${source}, ${keys?.join(' and ')}; it has ${plainKeys?.join(' and ')}`
    throw invalidOption(`${NAME}.to`, target, rule)
  }
  const sender = pacedSender({ client: physical, clock, random, unitsPerSecond, signal })
  const like = keyOfType(keys[0]?.split(' ').at(-1))
  const tables: Mirrored = {
    source,
    target,
    keys: keys.map((key) => key.slice(0, key.lastIndexOf(' '))),
    sharded: sharded as unknown as Mirrored['sharded'],
    sender,
    movedKeys:
      parsed?.shards.kind === 'dynamic'
        ? () => MovedKeys.from({ options: parsed, like, sender, clock, signal })
        : undefined,
    signal,
  }
  let progress: MirrorProgress = { scanned: 0, copied: 0, deleted: 0 }
  const tell = (made: Partial<MirrorProgress>) => {
    progress = { ...progress, ...made }
    onProgress?.(progress)
  }
  await reasonWhenAborted(signal, copyItems(tables, tell))
  if (deletesOthers) {
    await reasonWhenAborted(
      signal,
      deleteOthers(tables, (deleted) => tell({ deleted })),
    )
  }
  return progress
}

async function tableOf(client: PhysicalClient, TableName: string): Promise<TableDescription> {
  const { Table = {} } = (await client.send(
    new DescribeTableCommand({ TableName }),
  )) as DescribeTableCommandOutput
  return Table
}

/** The key attributes with their types: `order_id S`. */
function keysOf({ KeySchema = [], AttributeDefinitions = [] }: TableDescription): readonly string[] {
  return KeySchema.map(({ AttributeName }) => {
    const type = AttributeDefinitions.find((each) => each.AttributeName === AttributeName)?.AttributeType
    return `${AttributeName} ${type}`
  })
}
