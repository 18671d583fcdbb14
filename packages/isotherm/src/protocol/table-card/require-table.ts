import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { describedTable } from './described-table.js'

/**
 * Compares the options with the table itself. Without the right to describe it, and on an engine that does not know the request, the
 * options are believed.
 *
 * @param alsoRequire what else must be true of the described table
 * @throws IsothermError `table.missing`, `table.differs`, `table.unfit`
 */
export async function requireTable(
  table: ShardedTable,
  client: PhysicalClient,
  alsoRequire: (described: TableDescription) => void = () => {},
): Promise<void> {
  const described = await describedTable(table.name, client)
  if (described === undefined) return
  const [hash, range] = (['HASH', 'RANGE'] as const).map((type) => attributeOf(described, type))
  if (hash === undefined) return
  if (hash.name !== table.partitionKey) throw differs(table, 'partitionKey', hash.name, table.partitionKey)
  // Without a sort key there is no other cure, so leaving the option out is not named as one.
  const needsSortKey = table.suffix === 'random' || (table.suffix !== 'none' && table.handMade === undefined)
  if (range === undefined && needsSortKey) throw withoutSortKey(table)
  if (range?.name !== table.sortKey) throw differs(table, 'sortKey', range?.name, table.sortKey)
  if (hash.type === 'N') {
    const cure = `A suffix needs text or bytes: store ${hash.name} as text in a new table.`
    throw unfit(table, 'partitionKey', `The partition key ${hash.name} of ${table.name} is a number. ${cure}`)
  }
  alsoRequire(described)
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

function withoutSortKey(table: ShardedTable): IsothermError<'table.unfit'> {
  const reason =
    table.suffix === 'random'
      ? "with suffix 'random' each put of a key would store another copy of its item"
      : 'each partition key has one item, and there is nothing else from which a shard could be calculated'
  return unfit(
    table,
    'suffix',
    `${table.name} has no sort key, so ${reason}. One item cannot be spread over shards: use a table with a sort key.`,
  )
}

function unfit({ name }: ShardedTable, setting: 'partitionKey' | 'suffix', message: string) {
  return new IsothermError('table.unfit', message, { table: name, setting })
}
