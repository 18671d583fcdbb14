import { DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'

/**
 * Compares the options with the table itself. Without the right to describe it, and on an engine that does not know the request, the
 * options are believed.
 *
 * @throws IsothermError `table.missing`, `table.differs`
 */
export async function requireTable(table: ShardedTable, client: PhysicalClient): Promise<void> {
  const described = await describe(table.name, client)
  if (described === undefined) return
  const [hash, range] = (['HASH', 'RANGE'] as const).map((type) => attributeOf(described, type))
  if (hash === undefined) return
  if (hash.name !== table.partitionKey) throw differs(table, 'partitionKey', hash.name, table.partitionKey)
  if (range?.name !== table.sortKey) throw differs(table, 'sortKey', range?.name, table.sortKey)
  if (hash.type === 'N') {
    const cure = `A suffix needs text or bytes: store ${hash.name} as text in a new table.`
    throw unfit(table, 'partitionKey', `The partition key ${hash.name} of ${table.name} is a number. ${cure}`)
  }
  const regions = (described.Replicas ?? []).flatMap(({ RegionName = [] }) => RegionName)
  // With strong consistency, the lock of the shard map holds in all regions.
  if (regions.length > 0 && described.MultiRegionConsistency !== 'STRONG' && !table.shardMapHasClient) {
    const reason = `${table.name} is a global table, with replicas in ${regions.join(', ')}. Two regions could change the count of one key at the same time, and the later write would hide the items of the other region.`
    const cure = `Give the shard map a client of one region, in the processes of all regions: shardMap: { client }. Or use fixedShards(n).`
    throw unfit(table, 'shardMap', `${reason} ${cure}`)
  }
  if (range === undefined && table.suffix === 'random') {
    const reason = `${table.name} has no sort key, so with suffix 'random' each put of a key would store another copy of its item.`
    throw unfit(
      table,
      'suffix',
      `${reason} One item cannot be spread over shards: use a table with a sort key.`,
    )
  }
}

async function describe(TableName: string, client: PhysicalClient): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) return undefined
    throw new IsothermError(
      'table.missing',
      `The table ${TableName} does not exist in this region and account. Create it, or correct its name in the option tables.`,
      { table: TableName },
      { cause: error },
    )
  }
}

function attributeOf(
  { KeySchema = [], AttributeDefinitions = [] }: TableDescription,
  type: 'HASH' | 'RANGE',
) {
  const name = KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName
  if (name === undefined) return undefined
  return {
    name,
    type: AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType,
  }
}

function differs(
  { name }: ShardedTable,
  setting: 'partitionKey' | 'sortKey',
  found: string | undefined,
  given: string | undefined,
): IsothermError<'table.differs'> {
  const key = setting === 'partitionKey' ? 'partition key' : 'sort key'
  const cure = found === undefined ? `Leave ${setting} out.` : `Set ${setting}: '${found}'.`
  return new IsothermError(
    'table.differs',
    `The ${key} of ${name} is ${found ?? 'not set'}, and the options say ${given ?? 'nothing of it'}. ${cure}`,
    { table: name, setting, found, given },
  )
}

function unfit({ name }: ShardedTable, setting: 'partitionKey' | 'suffix' | 'shardMap', message: string) {
  return new IsothermError('table.unfit', message, { table: name, setting })
}
