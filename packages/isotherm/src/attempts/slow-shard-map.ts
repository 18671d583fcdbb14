import { IsothermError } from '../errors/isotherm-error.js'

/** Consecutive views that may expire before they are used. More indicate a problem. */
export const MAX_LATE_VIEWS = 10

/** The table whose shard map responds too late. */
export interface SlowTable {
  readonly name: string
  readonly shardMap: string
  readonly cacheMilliseconds: number
}

/** Returns the error of a call whose views of the shard map expired each time before they were used. */
export function slowShardMap({
  name,
  shardMap,
  cacheMilliseconds,
}: SlowTable): IsothermError<'shard-map.slow'> {
  return new IsothermError(
    'shard-map.slow',
    `What the shard map ${shardMap} says of a key of ${name} was older than cacheTtl (${cacheMilliseconds} ms) each time a request was ready, or answered too late. Raise cacheTtl in every process.`,
    { table: name, shardMap, cacheMilliseconds },
  )
}
