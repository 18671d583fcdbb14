import { IsothermError } from '../errors/isotherm-error.js'

/** Views that were over when they were needed, one after the other; then something is wrong. */
export const MAX_LATE_VIEWS = 10

/** The table whose shard map answers too late. */
export interface SlowTable {
  readonly name: string
  readonly shardMap: string
  readonly cacheMilliseconds: number
}

/** What a call ends with whose views of the shard map were over each time. */
export function slowShardMap({
  name,
  shardMap,
  cacheMilliseconds,
}: SlowTable): IsothermError<'shard-map.slow'> {
  return new IsothermError(
    'shard-map.slow',
    `What the shard map ${shardMap} says of a key of ${name} was older than cacheTtl (${cacheMilliseconds} ms) each time a request was ready to leave, or answered too late. Give the process more room, or raise cacheTtl in every process.`,
    { table: name, shardMap, cacheMilliseconds },
  )
}
