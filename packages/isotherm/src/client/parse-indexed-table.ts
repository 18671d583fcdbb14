import { indexAttributes, parseIndexes } from '../indexes/index-options.js'
import { invalidOption, refuseUnknown, requireBoolean, requireObject, requireText } from '../options/check.js'
import { parseDuration } from '../options/duration.js'
import {
  DEFAULT_DEADLINE,
  DEFAULT_STALE_READS,
  parseAttempts,
  parseDelimiter,
} from '../options/table-defaults.js'
import { fixedShards } from '../scaling/shards.js'
import type { IndexedTableOptions, ShardedTableOptions } from './options.js'
import type { ParsedTable } from './parsed-options.js'
import { parseShardMap } from './shard-map-option.js'

const KNOWN_OPTIONS = [
  'partitionKey',
  'sortKey',
  'indexes',
  'delimiter',
  'maxAttempts',
  'retryDeadline',
  'shardMap',
  'checkItems',
  'cacheTtl',
  'staleReads',
]

/** A query of an index is never consistent, so a process learns soon of new shards of another. */
const DEFAULT_CACHE_TTL = '10s'

/**
 * @returns `undefined` for a table that is sharded itself
 * @throws IsothermError `options.unknown` or `options.invalid`, which name the option
 */
export function parseIndexedTable(
  name: string,
  table: ShardedTableOptions | IndexedTableOptions,
): ParsedTable | undefined {
  if (!isOnlyIndexed(table)) return undefined
  const path = `options.tables.${name}`
  refuseUnknown(path, requireObject(path, table, 'an object with partitionKey and indexes'), KNOWN_OPTIONS)
  const partitionKey = requireText(`${path}.partitionKey`, table.partitionKey, "the partition key's name")
  const sortKey =
    table.sortKey === undefined
      ? undefined
      : requireText(`${path}.sortKey`, table.sortKey, "the sort key's name")
  const indexes = parseIndexes(`${path}.indexes`, table.indexes, { partitionKey, sortKey, isSharded: false })
  if (indexes.size === 0) {
    const rule = 'one sharded index at least, where the table itself is not sharded (with suffix and shards)'
    throw invalidOption(`${path}.indexes`, table.indexes, rule)
  }
  return {
    name,
    partitionKey,
    sortKey,
    suffix: 'none',
    delimiter: parseDelimiter(`${path}.delimiter`, table.delimiter),
    adopt: false,
    checkItems: requireBoolean(`${path}.checkItems`, table.checkItems ?? true),
    transactions: true,
    shards: fixedShards(1),
    handMade: undefined,
    itemsMayMove: false,
    ...parseShardMap(`${path}.shardMap`, name, table.shardMap),
    capacity: [],
    cacheMilliseconds: parseDuration(`${path}.cacheTtl`, table.cacheTtl ?? DEFAULT_CACHE_TTL),
    lateRequestMilliseconds: 0,
    staleReadMilliseconds: parseDuration(`${path}.staleReads`, table.staleReads ?? DEFAULT_STALE_READS),
    maxAttempts: parseAttempts(`${path}.maxAttempts`, table.maxAttempts),
    retryMilliseconds: parseDuration(`${path}.retryDeadline`, table.retryDeadline ?? DEFAULT_DEADLINE),
    indexes,
    readReplicas: [],
    hiddenAttributes: indexAttributes(indexes),
  }
}

/** Whether the options define sharded indexes but no sharding of the table's own key. */
function isOnlyIndexed(table: ShardedTableOptions | IndexedTableOptions): table is IndexedTableOptions {
  if (typeof table !== 'object' || table === null) return false
  return table.suffix === undefined && table.shards === undefined && table.indexes !== undefined
}
