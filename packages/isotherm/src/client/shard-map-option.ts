import { invalidOption, refuseUnknown, requireBoolean, requireText } from '../options/check.js'
import { isSdkClient, isSharded } from '../options/given-client.js'
import { defaultShardMapName } from '../options/sharded-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { ShardMapOption } from './options.js'
import type { ParsedTable } from './parsed-options.js'

/**
 * @param path of the option
 * @throws IsothermError `options.invalid` or `options.unknown`
 */
export function parseShardMap(
  path: string,
  table: string,
  option: string | ShardMapOption | undefined,
): Pick<ParsedTable, 'shardMap' | 'shardMapClient' | 'shardMapHasClient' | 'keysOfOneRegion'> {
  const rule = 'the name of a table, or an object with its name as table, and its client'
  if (typeof option !== 'object') {
    return {
      shardMap: otherThan(table, path, requireText(path, option ?? defaultShardMapName(table), rule)),
      shardMapClient: undefined,
      shardMapHasClient: false,
      keysOfOneRegion: false,
    }
  }
  if (option === null) throw invalidOption(path, option, rule)
  refuseUnknown(path, option, ['table', 'client', 'keysOfOneRegion'])
  const shardMap = requireText(
    `${path}.table`,
    option.table ?? defaultShardMapName(table),
    'the name of a table',
  )
  // Also with another client, which would get the requests for the items.
  otherThan(table, `${path}.table`, shardMap)
  const { client } = option
  const keysOfOneRegion = requireBoolean(`${path}.keysOfOneRegion`, option.keysOfOneRegion ?? false)
  if (client === undefined) {
    return { shardMap, shardMapClient: undefined, shardMapHasClient: false, keysOfOneRegion }
  }
  const isClient = isSdkClient(client)
  if (!isClient || isSharded(client)) {
    throw invalidOption(
      `${path}.client`,
      isClient ? 'a sharded client' : client,
      'a client of the AWS SDK v3 that is not sharded',
    )
  }
  return {
    shardMap,
    shardMapClient: client as unknown as PhysicalClient,
    shardMapHasClient: true,
    keysOfOneRegion,
  }
}

/** @throws IsothermError `options.invalid` for the table itself, whose items would be taken for counts */
function otherThan(table: string, option: string, shardMap: string): string {
  if (shardMap !== table) return shardMap
  throw invalidOption(option, shardMap, 'the name of another table than the sharded one')
}

/** The clients of shard maps by the names of their tables, of all tables that have one. */
export function shardMapClients(
  tables: readonly { readonly shardMap: string; readonly shardMapClient: PhysicalClient | undefined }[],
): ReadonlyMap<string, PhysicalClient> {
  return new Map(
    tables.flatMap(({ shardMap, shardMapClient }) =>
      shardMapClient === undefined ? [] : [[shardMap, shardMapClient] as const],
    ),
  )
}
