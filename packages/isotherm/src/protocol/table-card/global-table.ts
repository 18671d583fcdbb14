import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { describedTable } from './described-table.js'

/** How the counts of a table change. */
export interface ChangingCounts {
  /** Whether a count can become lower. */
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
  if (table.suffix === 'random' || table.suffix === 'none') {
    if (!mayFall) return
    throw unfit(
      table,
      'shards',
      regions,
      'If the count of a key falls, replication could still bring items to a shard that is no longer read. ' +
        'Set dynamicShards({ quiet: false }) in the processes of all regions, and lower no count by hand.',
    )
  }
  if (!table.keysOfOneRegion) {
    throw unfit(
      table,
      'shardMap',
      regions,
      'With a calculated suffix, a write of another region could bring an item back to a shard that it has left. ' +
        'If the writes of each key all come from one region, say so in the processes of all regions: shardMap: { client, keysOfOneRegion: true }. Or use fixedShards(n).',
    )
  }
}

/**
 * Refuses a change of a count in a table that has become global since its card was made.
 * @throws IsothermError `table.missing`, `table.unfit`
 */
export async function requireCountsMayChange(
  table: ShardedTable,
  client: PhysicalClient,
  counts: ChangingCounts,
): Promise<void> {
  const described = await describedTable(table.name, client)
  if (described !== undefined) requireSafeRegions(table, described, counts)
}

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
