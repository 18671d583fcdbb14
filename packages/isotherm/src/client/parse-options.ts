import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { missingPart } from '../errors/missing-part.js'
import { emitter } from '../events/emitter.js'
import type { Emit } from '../events/event.js'
import type { KnownIndex, TableIndexes } from '../indexes/index-options.js'
import { invalidOption, refuseUnknown, requireBoolean, requireObject, requireText } from '../options/check.js'
import { parseDuration } from '../options/duration.js'
import { DEFAULT_DEADLINE, parseAttempts, parseDelimiter } from '../options/table-defaults.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import type { OpenSharedStates } from '../protocol/second-level-cache/shared-states.js'
import { FLEET_ATTRIBUTES, SHARD_MAP_ATTRIBUTES } from '../protocol/shard-map/shard-state.js'
import type { WriteCapacityRaise } from '../scaling/raise-write-capacity.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import type { CalculatedSuffix } from '../writes/calculated.js'
import type { IsothermOptions, ShardedTableOptions } from './options.js'
import type { Parts } from './parts/parts.js'

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
  readonly parts: Parts
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

const NO_INDEXES: TableIndexes = { indexes: new Map(), readReplicas: [], hiddenAttributes: [] }

/**
 * @param parts what the client is made of
 * @throws IsothermError `options.unknown` or `options.invalid`, naming the option; `part.missing`
 */
export function parseOptions(options: IsothermOptions, parts: Parts): ParsedOptions {
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
    tables: Object.entries(tables).map(
      ([name, table]) =>
        parts.indexes?.parseIndexedTable(name, table) ??
        parseTable(name, table as ShardedTableOptions, parts),
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
  { secondLevelCache }: Parts,
): OpenSharedStates | undefined {
  const path = 'options.secondLevelCache'
  if (options === undefined) return undefined
  if (secondLevelCache === undefined) throw missingPart('secondLevelCache', path)
  return secondLevelCache(path, options)
}

function parseTable(name: string, table: ShardedTableOptions, parts: Parts): ShardedTable {
  const path = `options.tables.${name}`
  refuseUnknown(
    path,
    requireObject(path, table, 'an object with partitionKey, suffix and shards'),
    KNOWN_TABLE_OPTIONS,
  )
  for (const option of ['indexes', 'readReplicas'] as const) {
    if (parts.indexes !== undefined || table[option] === undefined) continue
    throw missingPart('indexes', `${path}.${option}`)
  }
  const shards = parseShards(path, table.shards)
  const partitionKey = requireText(`${path}.partitionKey`, table.partitionKey, "the partition key's name")
  const taken: readonly string[] = Object.values({ ...SHARD_MAP_ATTRIBUTES, ...FLEET_ATTRIBUTES })
  if (shards.kind === 'dynamic' && taken.includes(partitionKey)) {
    throw invalidOption(`${path}.partitionKey`, partitionKey, 'a name that the shard map does not use itself')
  }
  const sortKey =
    table.sortKey === undefined
      ? undefined
      : requireText(`${path}.sortKey`, table.sortKey, "the sort key's name")
  const suffix = parseSuffix(`${path}.suffix`, table.suffix, parts)
  const transactions = requireBoolean(`${path}.transactions`, table.transactions ?? true)
  const adopt = requireBoolean(`${path}.adopt`, table.adopt ?? false)
  if (suffix !== 'random') {
    suffix.check(path, suffix, { partitionKey, sortKey, shards, transactions, adopt }, parts)
  }
  const owner = { partitionKey, sortKey, isSharded: true }
  const { indexes, readReplicas, hiddenAttributes } = parts.indexes?.parse(path, table, owner) ?? NO_INDEXES
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

function parseSuffix(path: string, value: unknown, parts: Parts): 'random' | CalculatedSuffix {
  if (value === 'random') return value
  const suffix = value === 'calculated' ? parts.calculated?.() : value
  if (isCalculated(suffix)) return suffix
  const text = parts.calculated === undefined ? '' : ", 'calculated'"
  throw invalidOption(path, value, `'random'${text} or calculated({ from: [...] })`)
}

function isCalculated(suffix: unknown): suffix is CalculatedSuffix {
  return typeof suffix === 'object' && suffix !== null && 'kind' in suffix && suffix.kind === 'calculated'
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
