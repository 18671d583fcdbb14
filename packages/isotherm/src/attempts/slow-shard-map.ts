import { IsothermError } from '../errors/isotherm-error.js'
import type { ShardedTable } from '../options/sharded-table.js'

/** Views that were over when they were needed, one after the other; then something is wrong. */
export const MAX_LATE_VIEWS = 10

/** What a call ends with whose views of the shard map were over each time. */
export function slowShardMap({
  name,
  shardMap,
  cacheMilliseconds,
}: Pick<ShardedTable, 'name' | 'shardMap' | 'cacheMilliseconds'>): IsothermError<'shard-map.slow'> {
  return new IsothermError(
    'shard-map.slow',
    `What the shard map ${shardMap} says of a key of ${name} was older than cacheTtl (${cacheMilliseconds} ms) each time a request was ready to leave, or answered too late. Give the process more room, or raise cacheTtl in every process.`,
    { table: name, shardMap, cacheMilliseconds },
  )
}
