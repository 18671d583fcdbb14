import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'

/** Sends a request to the shard map. @throws IsothermError `shard-map.missing` if that table does not exist */
export async function guardedByMap<Output>(
  { name, shardMap }: Pick<ShardedTable, 'name' | 'shardMap'>,
  send: () => Promise<Output>,
): Promise<Output> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error
    throw new IsothermError(
      'shard-map.missing',
      `The shard map ${shardMap} of ${name} does not exist; dynamic shard counts are kept in it. ` +
        `Create it once with ensureShardMap(client, { table: '${name}' }), or name another with the option shardMap.`,
      { table: name, shardMap },
      { cause: error },
    )
  }
}
