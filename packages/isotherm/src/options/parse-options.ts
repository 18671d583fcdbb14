import { type Clock, type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { emitter } from '../events/emitter.js'
import type { Emit } from '../events/event.js'
import { SHARD_MAP_ATTRIBUTES } from '../shard-map/shard-state.js'
import { invalidOption, refuseUnknown, requireInteger, requireObject, requireText } from './check.js'
import { parseDuration } from './duration.js'
import type { IsothermOptions, ShardedTableOptions } from './options.js'
import type { WriteCapacityRaise } from './raise-write-capacity.js'
import type { DynamicShards, FixedShards } from './shards.js'

/** One table's options, complete and checked. */
export interface ShardedTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly delimiter: string
  readonly shards: FixedShards | DynamicShards
  readonly shardMap: string
  readonly capacity: WriteCapacityRaise | undefined
  readonly cacheMilliseconds: number
  readonly maxAttempts: number
}

/** The options, complete and checked. */
export interface ParsedOptions {
  readonly tables: readonly ShardedTable[]
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
}

const DEFAULT_ATTEMPTS = 8
const KNOWN_OPTIONS = ['tables', 'clock', 'random', 'onEvent']
const KNOWN_TABLE_OPTIONS = [
  'partitionKey',
  'sortKey',
  'suffix',
  'shards',
  'shardMap',
  'delimiter',
  'capacity',
  'cacheTtl',
  'maxAttempts',
]

/** @throws IsothermError `options.unknown` or `options.invalid`, naming the option */
export function parseOptions(options: IsothermOptions): ParsedOptions {
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
    tables: Object.entries(tables).map(([name, table]) => parseTable(name, table)),
    clock: options.clock ?? new SystemClock(),
    random: options.random ?? new SystemRandom(),
    emit: emitter(options.onEvent),
  }
}

/** The name that a table of counts has unless another is given. */
export function defaultShardMapName(table: string): string {
  return `${table}_shard_map`
}

function parseTable(name: string, table: ShardedTableOptions): ShardedTable {
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
  if (table.suffix !== 'random')
    throw invalidOption(`${path}.suffix`, table.suffix, "'random' in this version")
  return {
    name,
    partitionKey,
    sortKey:
      table.sortKey === undefined
        ? undefined
        : requireText(`${path}.sortKey`, table.sortKey, "the sort key's name"),
    delimiter: parseDelimiter(`${path}.delimiter`, table.delimiter ?? '_'),
    shards,
    shardMap: requireText(
      `${path}.shardMap`,
      table.shardMap ?? defaultShardMapName(name),
      'the name of a table',
    ),
    capacity: parseCapacity(`${path}.capacity`, table.capacity),
    cacheMilliseconds: parseDuration(`${path}.cacheTtl`, table.cacheTtl ?? '30s'),
    maxAttempts: requireInteger(`${path}.maxAttempts`, table.maxAttempts ?? DEFAULT_ATTEMPTS, 1, 100),
  }
}

function parseShards(path: string, shards: FixedShards | DynamicShards): FixedShards | DynamicShards {
  const kind = requireObject(`${path}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
  if (!('kind' in kind) || (kind.kind !== 'fixed' && kind.kind !== 'dynamic')) {
    throw invalidOption(`${path}.shards`, shards, 'fixedShards(n) or dynamicShards({ ... })')
  }
  return shards
}

/** A digit in the delimiter would make `a1` + `1` + `2` ambiguous. */
function parseDelimiter(path: string, delimiter: unknown): string {
  const text = requireText(path, delimiter, 'one to 16 characters, without digits')
  if (text.length > 16 || /\d/.test(text))
    throw invalidOption(path, text, 'one to 16 characters, without digits')
  return text
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
