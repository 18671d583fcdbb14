import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { missingPart } from '../errors/missing-part.js'
import { emitter } from '../events/emitter.js'
import type { TableIndexes } from '../indexes/index-options.js'
import { invalidOption, refuseUnknown, requireBoolean, requireObject, requireText } from '../options/check.js'
import { parseDuration } from '../options/duration.js'
import {
  DEFAULT_DEADLINE,
  DEFAULT_STALE_READS,
  parseAttempts,
  parseDelimiter,
} from '../options/table-defaults.js'
import { MOVE_ATTRIBUTES, type OpenSharedStates, TAKEN_KEY_NAMES } from '../protocol/index.js'
import type { CapacityRaise } from '../scaling/capacity-raise.js'
import type { DynamicShards, FixedShards } from '../scaling/shards.js'
import { type CalculatedSuffix, isCalculated } from '../writes/calculated.js'
import { isHandMade } from '../writes/hand-made.js'
import type { MergedParts } from './merged-parts.js'
import type { IsothermOptions, ShardedTableOptions } from './options.js'
import type { ParsedOptions, ParsedTable } from './parsed-options.js'
import type { PartOptions } from './part.js'
import { parseShardMap } from './shard-map-option.js'

const KNOWN_OPTIONS = ['tables', 'secondLevelCache', 'tableMetrics', 'clock', 'random', 'onEvent']
const KNOWN_TABLE_OPTIONS = [
  'partitionKey',
  'sortKey',
  'suffix',
  'shards',
  'shardMap',
  'delimiter',
  'adopt',
  'transactions',
  'checkItems',
  'capacity',
  'cacheTtl',
  'lateRequests',
  'staleReads',
  'maxAttempts',
  'retryDeadline',
  'indexes',
  'readReplicas',
]

/** Requests may name tables by their ARNs. The options of a table are found by its name. */
const TABLE_NAME = /^[A-Za-z0-9_.-]+$/

const NO_INDEXES: TableIndexes = { indexes: new Map(), readReplicas: [], hiddenAttributes: [] }

/**
 * @param parts the parts of the client
 * @throws IsothermError `options.unknown` or `options.invalid`, which name the option; `part.missing`
 */
export function parseOptions(options: IsothermOptions, parts: MergedParts): ParsedOptions {
  refuseUnknown(
    'options',
    requireObject('options', options, 'an object with the member tables'),
    KNOWN_OPTIONS,
  )
  const rule = 'an object with a member for each sharded table'
  const tables = requireObject('options.tables', options.tables, rule)
  // Getters of a class would be ignored, and the tables would be written without shards.
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(tables))
  if (!isPlain && Object.keys(tables).length === 0)
    throw invalidOption('options.tables', tables, `${rule} of its own, not inherited from a class`)
  const odd = Object.keys(tables).find((name) => !TABLE_NAME.test(name))
  if (odd !== undefined) {
    throw invalidOption(
      'options.tables',
      odd,
      'an object whose members have the names of the tables, not their ARNs',
    )
  }
  if (options.onEvent !== undefined && typeof options.onEvent !== 'function') {
    throw invalidOption('options.onEvent', options.onEvent, 'a function')
  }
  if (options.tableMetrics !== undefined && typeof options.tableMetrics !== 'function') {
    const rule = 'cloudWatch(client) of the entry isotherm/cloudwatch, or a function'
    throw invalidOption('options.tableMetrics', options.tableMetrics, rule)
  }
  return {
    tables: Object.entries(tables).map(
      ([name, table]) =>
        parts.options.indexes?.parseIndexedTable(name, table) ??
        parseTable(name, table as ShardedTableOptions, parts),
    ),
    tableMetrics: options.tableMetrics,
    openSharedStates: parseSecondLevel(options.secondLevelCache, parts.options),
    // Notices when the process was suspended, so that it does not continue with outdated data afterwards.
    clock: options.clock ?? new SystemClock({ noticesSuspension: true }),
    random: options.random ?? new SystemRandom(),
    emit: emitter(options.onEvent),
  }
}

function parseSecondLevel(
  options: IsothermOptions['secondLevelCache'],
  { secondLevelCache }: PartOptions,
): OpenSharedStates | undefined {
  const path = 'options.secondLevelCache'
  if (options === undefined) return undefined
  if (secondLevelCache === undefined) throw missingPart('secondLevelCache', path)
  return secondLevelCache(path, options)
}

function parseTable(name: string, table: ShardedTableOptions, parts: MergedParts): ParsedTable {
  const path = `options.tables.${name}`
  refuseUnknown(
    path,
    requireObject(path, table, 'an object with partitionKey, suffix and shards'),
    KNOWN_TABLE_OPTIONS,
  )
  for (const option of ['indexes', 'readReplicas'] as const) {
    if (parts.options.indexes !== undefined || table[option] === undefined) continue
    throw missingPart('indexes', `${path}.${option}`)
  }
  const shards = parseShards(path, table.shards)
  const partitionKey = requireText(`${path}.partitionKey`, table.partitionKey, "the partition key's name")
  if (shards.kind === 'dynamic' && TAKEN_KEY_NAMES.includes(partitionKey)) {
    throw invalidOption(`${path}.partitionKey`, partitionKey, 'a name that the shard map does not use itself')
  }
  const sortKey =
    table.sortKey === undefined
      ? undefined
      : requireText(`${path}.sortKey`, table.sortKey, "the sort key's name")
  if (sortKey === partitionKey)
    throw invalidOption(`${path}.sortKey`, sortKey, 'another attribute than partitionKey')
  const handMade = isHandMade(table.suffix) ? table.suffix : undefined
  const suffix = parseSuffix(`${path}.suffix`, handMade?.placement ?? table.suffix, parts.options)
  const transactions = requireBoolean(`${path}.transactions`, table.transactions ?? true)
  const adopt = requireBoolean(`${path}.adopt`, table.adopt ?? false)
  if (handMade === undefined && suffix !== 'random') {
    suffix.check(path, suffix, { partitionKey, sortKey, shards, transactions, adopt }, parts)
  }
  const owner = { partitionKey, sortKey, isSharded: true }
  const { indexes, readReplicas, hiddenAttributes } =
    parts.options.indexes?.parse(path, table, owner) ?? NO_INDEXES
  handMade?.check(path, table, indexes)
  return {
    name,
    partitionKey,
    sortKey,
    suffix,
    delimiter: parseDelimiter(`${path}.delimiter`, table.delimiter),
    checkItems: requireBoolean(`${path}.checkItems`, table.checkItems ?? true),
    adopt,
    transactions,
    shards,
    handMade,
    itemsMayMove: shards.kind === 'dynamic',
    ...parseShardMap(`${path}.shardMap`, name, table.shardMap),
    capacity: parseCapacity(`${path}.capacity`, table.capacity),
    cacheMilliseconds: parsePhase(
      `${path}.cacheTtl`,
      table.cacheTtl ?? (suffix === 'random' ? '30s' : '10s'),
      shards,
    ),
    lateRequestMilliseconds: parsePhase(`${path}.lateRequests`, table.lateRequests ?? '5s', shards),
    staleReadMilliseconds: parseDuration(`${path}.staleReads`, table.staleReads ?? DEFAULT_STALE_READS),
    maxAttempts: parseAttempts(`${path}.maxAttempts`, table.maxAttempts),
    retryMilliseconds: parseDuration(`${path}.retryDeadline`, table.retryDeadline ?? DEFAULT_DEADLINE),
    indexes,
    readReplicas,
    hiddenAttributes: [...Object.values(MOVE_ATTRIBUTES), ...hiddenAttributes],
  }
}

/** A time on which the phases of a change depend. Without any, no write could be sent within it, or aborted after it. */
function parsePhase(path: string, value: unknown, { kind }: FixedShards | DynamicShards): number {
  const milliseconds = parseDuration(path, value)
  if (milliseconds > 0 || kind === 'fixed') return milliseconds
  throw invalidOption(path, value, "more than 0 with dynamicShards, such as '5s'")
}

function parseSuffix(path: string, value: unknown, { calculated }: PartOptions): 'random' | CalculatedSuffix {
  if (value === 'random') return value
  const suffix = value === 'calculated' ? calculated?.() : value
  if (isCalculated(suffix)) return suffix
  if (value === 'calculated') {
    const rule =
      "'random', or a value that carries its own code: import calculated from isotherm/core, and write suffix: calculated()"
    throw invalidOption(path, value, rule)
  }
  const text = calculated === undefined ? '' : ", 'calculated'"
  throw invalidOption(path, value, `'random'${text}, calculated({ from: [...] }) or handMade({ ... })`)
}

function parseShards(path: string, shards: FixedShards | DynamicShards): FixedShards | DynamicShards {
  const { kind } = Object(shards)
  if (kind === 'fixed' || kind === 'dynamic') return shards
  throw invalidOption(`${path}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
}

function parseCapacity(
  path: string,
  capacity: ShardedTableOptions['capacity'] = [],
): readonly CapacityRaise[] {
  const raises: readonly CapacityRaise[] = Array.isArray(capacity) ? capacity : [capacity]
  for (const raise of raises) {
    if (Object(raise).kind === 'raise') continue
    const rule =
      'raiseWriteCapacity({ maxWriteUnits }), raiseReadCapacity({ maxReadUnits }), or a list of both'
    throw invalidOption(path, raise, rule)
  }
  if (new Set(raises.map(({ access }) => access)).size === raises.length) return raises
  throw invalidOption(
    path,
    raises,
    'a list with one raise of the read capacity and one of the write capacity at most',
  )
}
