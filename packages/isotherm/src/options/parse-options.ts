import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { missingPart } from '../errors/missing-part.js'
import { emitter } from '../events/emitter.js'
import type { Emit } from '../events/event.js'
import { MOVE_ATTRIBUTES } from '../moves/move-attributes.js'
import type { PartSet } from '../parts/part-set.js'
import type { OpenSharedStates } from '../second-level-cache/shared-states.js'
import { SHARD_MAP_ATTRIBUTES } from '../shard-map/shard-state.js'
import { invalidOption, refuseUnknown, requireBoolean, requireObject, requireText } from './check.js'
import { parseDuration } from './duration.js'
import type { IndexOwner, KnownIndex, TableIndexes } from './index-options.js'
import type { IndexedTableOptions, IsothermOptions, ShardedTableOptions } from './options.js'
import type { WriteCapacityRaise } from './raise-write-capacity.js'
import type { DynamicShards, FixedShards } from './shards.js'
import { type CalculatedSuffix, calculated } from './suffix.js'
import { DEFAULT_DEADLINE, parseAttempts, parseDelimiter } from './table-defaults.js'

/** One table's options, complete and checked, whether it is sharded itself or has sharded indexes only. */
export interface ShardedTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** `none`: only its indexes are. */
  readonly suffix: 'none' | 'random' | CalculatedSuffix
  readonly delimiter: string
  readonly adopt: boolean
  readonly transactions: boolean
  readonly shards: FixedShards | DynamicShards
  readonly shardMap: string
  readonly capacity: WriteCapacityRaise | undefined
  readonly cacheMilliseconds: number
  readonly lateRequestMilliseconds: number
  readonly maxAttempts: number
  readonly retryMilliseconds: number
  readonly indexes: ReadonlyMap<string, KnownIndex>
  readonly readReplicas: readonly string[]
  /** Attributes that the library adds to items and never shows. */
  readonly hiddenAttributes: readonly string[]
}

/** The options, complete and checked. */
export interface ParsedOptions {
  readonly tables: readonly ShardedTable[]
  readonly openSharedStates: OpenSharedStates | undefined
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  readonly parts: PartSet
}

const KNOWN_OPTIONS = ['tables', 'secondLevelCache', 'clock', 'random', 'onEvent']
const KNOWN_TABLE_OPTIONS = [
  'partitionKey',
  'sortKey',
  'suffix',
  'shards',
  'shardMap',
  'delimiter',
  'adopt',
  'transactions',
  'capacity',
  'cacheTtl',
  'lateRequests',
  'maxAttempts',
  'retryDeadline',
  'indexes',
  'readReplicas',
]

/** What a part takes that writes to tables with a calculated suffix. */
const WRITES_BY_KEY = ['UpdateItem', 'BatchWriteItem', 'TransactWriteItems']

const NO_INDEXES: TableIndexes = { indexes: new Map(), readReplicas: [], hiddenAttributes: [] }

/**
 * @param parts what the client is made of
 * @throws IsothermError `options.unknown` or `options.invalid`, naming the option; `part.missing`
 */
export function parseOptions(options: IsothermOptions, parts: PartSet): ParsedOptions {
  refuseUnknown(
    'options',
    requireObject('options', options, 'an object with the member tables'),
    KNOWN_OPTIONS,
  )
  const tables = requireObject(
    'options.tables',
    options.tables,
    'an object with a member for each sharded table',
  )
  if (options.onEvent !== undefined && typeof options.onEvent !== 'function') {
    throw invalidOption('options.onEvent', options.onEvent, 'a function')
  }
  return {
    tables: Object.entries(tables).map(([name, table]) =>
      isOnlyIndexed(table) ? parseIndexed(name, table, parts) : parseTable(name, table, parts),
    ),
    openSharedStates: parseSecondLevel(options.secondLevelCache, parts),
    // A frozen function must not go on with what it knew before.
    clock: options.clock ?? new SystemClock({ noticesSuspension: true }),
    random: options.random ?? new SystemRandom(),
    emit: emitter(options.onEvent),
    parts,
  }
}

/** The name that a table of counts has unless another is given. */
export function defaultShardMapName(table: string): string {
  return `${table}_shard_map`
}

function parseSecondLevel(
  options: IsothermOptions['secondLevelCache'],
  { secondLevelCache }: PartSet,
): OpenSharedStates | undefined {
  if (options === undefined) return undefined
  const path = 'options.secondLevelCache'
  if (secondLevelCache === undefined) throw missingPart('secondLevelCache', path)
  return secondLevelCache(path, options)
}

/** Whether the options ask for sharded indexes and leave the table's own key as it is. */
function isOnlyIndexed(table: ShardedTableOptions | IndexedTableOptions): table is IndexedTableOptions {
  if (typeof table !== 'object' || table === null) return false
  return table.suffix === undefined && table.shards === undefined && table.indexes !== undefined
}

function parseIndexed(name: string, table: IndexedTableOptions, { indexes }: PartSet): ShardedTable {
  if (indexes === undefined) throw missingPart('indexes', `options.tables.${name}.indexes`)
  return indexes.parseIndexedTable(name, table)
}

function parseIndexes(
  path: string,
  table: ShardedTableOptions,
  owner: IndexOwner,
  { indexes }: PartSet,
): TableIndexes {
  if (indexes !== undefined) return indexes.parse(path, table, owner)
  for (const option of ['indexes', 'readReplicas'] as const) {
    if (table[option] !== undefined) throw missingPart('indexes', `${path}.${option}`)
  }
  return NO_INDEXES
}

function parseTable(name: string, table: ShardedTableOptions, parts: PartSet): ShardedTable {
  const path = `options.tables.${name}`
  refuseUnknown(
    path,
    requireObject(path, table, 'an object with partitionKey, suffix and shards'),
    KNOWN_TABLE_OPTIONS,
  )
  const shards = parseShards(path, table.shards)
  const partitionKey = requireText(`${path}.partitionKey`, table.partitionKey, "the partition key's name")
  if (shards.kind === 'dynamic' && Object.values<string>(SHARD_MAP_ATTRIBUTES).includes(partitionKey)) {
    throw invalidOption(`${path}.partitionKey`, partitionKey, 'a name that the shard map does not use itself')
  }
  const sortKey =
    table.sortKey === undefined
      ? undefined
      : requireText(`${path}.sortKey`, table.sortKey, "the sort key's name")
  const suffix = parseSuffix(`${path}.suffix`, table.suffix, partitionKey, sortKey)
  const transactions = requireBoolean(`${path}.transactions`, table.transactions ?? true)
  const adopt = requireBoolean(`${path}.adopt`, table.adopt ?? false)
  refuseUnsafeShards(`${path}.shards`, shards, { suffix, transactions, adopt })
  refuseUndriven(path, shards, suffix, parts)
  const { indexes, readReplicas, hiddenAttributes } = parseIndexes(
    path,
    table,
    { partitionKey, sortKey, isSharded: true },
    parts,
  )
  return {
    name,
    partitionKey,
    sortKey,
    suffix,
    delimiter: parseDelimiter(`${path}.delimiter`, table.delimiter),
    adopt,
    transactions,
    shards,
    shardMap: requireText(
      `${path}.shardMap`,
      table.shardMap ?? defaultShardMapName(name),
      'the name of a table',
    ),
    capacity: parseCapacity(`${path}.capacity`, table.capacity),
    cacheMilliseconds: parseDuration(
      `${path}.cacheTtl`,
      table.cacheTtl ?? (suffix === 'random' ? '30s' : '10s'),
    ),
    lateRequestMilliseconds: parseDuration(`${path}.lateRequests`, table.lateRequests ?? '20s'),
    maxAttempts: parseAttempts(`${path}.maxAttempts`, table.maxAttempts),
    retryMilliseconds: parseDuration(`${path}.retryDeadline`, table.retryDeadline ?? DEFAULT_DEADLINE),
    indexes,
    readReplicas,
    hiddenAttributes: [...Object.values(MOVE_ATTRIBUTES), ...hiddenAttributes],
  }
}

function parseSuffix(
  path: string,
  value: unknown,
  partitionKey: string,
  sortKey: string | undefined,
): 'random' | CalculatedSuffix {
  if (value === 'random') return value
  const suffix = value === 'calculated' ? calculated() : value
  if (!isCalculated(suffix)) {
    throw invalidOption(path, value, "'random', 'calculated' or calculated({ from: [...] })")
  }
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
  const stranger = suffix.from?.find((attribute) => !keys.includes(attribute))
  if (stranger !== undefined) {
    const rule = `made of the primary key (${keys.join(', ')}), which is all that a read knows of its item`
    throw invalidOption(`${path}.from`, suffix.from, rule)
  }
  if ((suffix.from ?? keys).includes(sortKey ?? '')) return suffix
  throw invalidOption(
    path,
    'calculated from the partition key alone',
    'calculated from a sort key too: all items of a logical key would be in one shard, and an item that everybody updates cannot be sharded',
  )
}

function isCalculated(suffix: unknown): suffix is CalculatedSuffix {
  return typeof suffix === 'object' && suffix !== null && 'kind' in suffix && suffix.kind === 'calculated'
}

function refuseUnsafeShards(
  path: string,
  shards: FixedShards | DynamicShards,
  { suffix, transactions, adopt }: Pick<ShardedTable, 'suffix' | 'transactions' | 'adopt'>,
): void {
  if (suffix !== 'random' && shards.kind === 'fixed' && shards.changes) {
    const rule =
      'fixedShards(n) or dynamicShards({ ... }) with a calculated suffix: items have to be moved when its count changes, which dynamicShards and db.shards().set() do'
    throw invalidOption(path, 'fixedShards with a function', rule)
  }
  if (suffix !== 'random' && shards.kind === 'dynamic' && !transactions) {
    const rule =
      'fixedShards(n) where the service has no transactions: items with a calculated suffix are moved in one'
    throw invalidOption(path, 'dynamicShards', rule)
  }
  if (suffix !== 'random' && shards.kind === 'dynamic' && adopt && shards.initial !== 1) {
    const rule = 'dynamicShards with initial 1 in an adopted table: its items are all in shard 1'
    throw invalidOption(`${path}.initial`, shards.initial, rule)
  }
  if (suffix !== 'random' && shards.kind === 'fixed' && adopt) {
    const rule =
      'dynamicShards in an adopted table with a calculated suffix: its items are all in shard 1, and have to be moved'
    throw invalidOption(path, 'fixedShards', rule)
  }
}

/**
 * The count of a calculated key changes in phases, which somebody has to drive: a process that announced one and left it there
 * would make every read and write ask two places. One that only reads announces none.
 */
function refuseUndriven(
  path: string,
  shards: FixedShards | DynamicShards,
  suffix: ShardedTable['suffix'],
  parts: PartSet,
): void {
  if (shards.kind === 'fixed' || suffix === 'random' || parts.openRebalancer !== undefined) return
  if (!WRITES_BY_KEY.some((operation) => parts.takes(operation))) return
  throw missingPart('rebalancing', `${path}.shards: dynamicShards with a calculated suffix`)
}

function parseShards(path: string, shards: FixedShards | DynamicShards): FixedShards | DynamicShards {
  const kind = requireObject(`${path}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
  if (!('kind' in kind) || (kind.kind !== 'fixed' && kind.kind !== 'dynamic')) {
    throw invalidOption(`${path}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
  }
  return shards
}

function parseCapacity(
  path: string,
  capacity: WriteCapacityRaise | undefined,
): WriteCapacityRaise | undefined {
  if (capacity !== undefined && capacity.kind !== 'raise') {
    throw invalidOption(path, capacity, 'raiseWriteCapacity({ maxWriteUnits })')
  }
  return capacity
}
