import { IsothermError } from '../../errors/isotherm-error.js'
import { defaultShardMapName, type ShardedTable } from '../../options/sharded-table.js'
import { rebuildCommand } from './rebuild-command.js'

type MappedTable = Pick<ShardedTable, 'name' | 'shardMap' | 'shardMapHasClient'>

/** Sends a request to the shard map. @throws IsothermError `shard-map.missing` if that table does not exist */
export async function guardedByMap<Output>(table: MappedTable, send: () => Promise<Output>): Promise<Output> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error
    const { name, shardMap } = table
    throw new IsothermError(
      'shard-map.missing',
      `The shard map ${shardMap} of ${name} does not exist; dynamic shard counts are kept in it. ` +
        `Create it once with ${creationOf(table)}, or name another with the option shardMap. If it was deleted, rebuild its counts before anything writes: ${rebuildCommand(name)}.`,
      { table: name, shardMap },
      { cause: error },
    )
  }
}

/** The call that creates this very table. */
function creationOf({ name, shardMap, shardMapHasClient }: MappedTable): string {
  const options = [`table: '${name}'`]
  if (shardMap !== defaultShardMapName(name)) options.push(`shardMap: '${shardMap}'`)
  if (shardMapHasClient) options.push('shardMapClient')
  return `ensureShardMap(client, { ${options.join(', ')} })`
}
