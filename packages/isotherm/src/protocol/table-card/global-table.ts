import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { describedTable } from './described-table.js'

/** How the counts of a table change. */
export interface ChangingCounts {
  /** Whether processes lower counts of quiet keys by themselves. */
  readonly mayFall: boolean
}

/**
 * Refuses counts that change in a global table in a way that hides items.
 * @throws IsothermError `table.unfit`
 */
export function requireSafeRegions(
  table: ShardedTable,
  described: TableDescription,
  { mayFall }: ChangingCounts,
): void {
  const regions = otherRegions(described)
  if (regions === undefined) return
  if (!table.shardMapHasClient) {
    throw unfit(
      table,
      'shardMap',
      regions,
      'Two regions could change the count of one key at the same time, and the later write would hide the items of the other region. ' +
        'Give the shard map a client of one region, in the processes of all regions: shardMap: { client }. Or use fixedShards(n).',
    )
  }
  if (mayFall && table.suffix === 'random') {
    throw unfit(
      table,
      'shards',
      regions,
      `${FALLS} Set dynamicShards({ quiet: false }) in the processes of all regions.`,
    )
  }
}

/**
 * Refuses a lower count of a key in a global table, whatever the options were when it became one. Only a table whose shard map has a client
 * of its own can be sharded in several regions, so others are not described.
 *
 * @throws IsothermError `table.unfit`
 */
export async function requireCountsMayFall(table: ShardedTable, client: PhysicalClient): Promise<void> {
  if (!table.shardMapHasClient || table.suffix !== 'random') return
  const described = await describedTable(table.name, client)
  const regions = described && otherRegions(described)
  if (regions === undefined) return
  throw unfit(table, 'shards', regions, `${FALLS} Leave the count as it is.`)
}

const FALLS =
  'If the count of a key falls, replication could still bring items to a shard that is no longer read.'

/** @returns `undefined` for a table of one region, and with strong consistency, where conditional writes hold in all regions */
function otherRegions({ Replicas = [], MultiRegionConsistency }: TableDescription): string | undefined {
  const names = Replicas.flatMap(({ RegionName = [] }) => RegionName)
  return names.length === 0 || MultiRegionConsistency === 'STRONG' ? undefined : names.join(', ')
}

function unfit({ name }: ShardedTable, setting: 'shardMap' | 'shards', regions: string, rest: string) {
  return new IsothermError('table.unfit', `${name} is a global table, with replicas in ${regions}. ${rest}`, {
    table: name,
    setting,
  })
}
