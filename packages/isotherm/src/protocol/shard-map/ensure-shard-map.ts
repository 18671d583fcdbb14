import { CreateTableCommand, DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
import { type Clock, SystemClock } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { refuseUnknown, requireText } from '../../options/check.js'
import { defaultShardMapName } from '../../options/sharded-table.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'

/** Options of `ensureShardMap`. */
export interface EnsureShardMapOptions {
  /** Name of the sharded table. It must exist: the shard map gets the name and type of its partition key. */
  readonly table: string
  /** Name of the shard map. Default `<table>_shard_map`. */
  readonly shardMap?: string | undefined
  /** Client of the shard map, if it has one of its own. Default: the client of the sharded table. */
  readonly shardMapClient?: { readonly config: object; readonly middlewareStack: object } | undefined
  /** Clock for the wait until the shard map is active. Default: the system clock. */
  readonly clock?: Clock | undefined
}

const POLL_MILLISECONDS = 500
/** Two minutes in total. Creating an empty on-demand table takes seconds. */
const MAX_POLLS = 240

/**
 * Creates the shard map of a sharded table if it does not exist, and waits until it is active. The shard map is the table that
 * stores the shard count of each key. Call this function once before you use dynamic shard counts, for example when you deploy.
 * Calling it again does nothing.
 *
 * The shard map is an on-demand table. Its partition key has the name and type of the sharded table's partition key, or type S
 * instead of N, and it has no sort key. If a shard map of that name is being deleted, the function waits for the deletion and creates the table again.
 *
 * @param client a `DynamoDBClient` or `DynamoDBDocumentClient`; it needs `dynamodb:DescribeTable` and `dynamodb:CreateTable`
 * @returns the name of the shard map
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @throws IsothermError `shard-map.schema` if a table of that name has a different key
 * @throws IsothermError `shard-map.not-active` if the shard map is not active after two minutes
 * @throws ResourceNotFoundException of the SDK if the sharded table does not exist
 * @example await ensureShardMap(client, { table: 'audit_log' }) // 'audit_log_shard_map'
 */
export async function ensureShardMap(
  client: { readonly config: object; readonly middlewareStack: object },
  options: EnsureShardMapOptions,
): Promise<string> {
  refuseUnknown('ensureShardMap', options, ['table', 'shardMap', 'shardMapClient', 'clock'])
  const table = requireText('ensureShardMap.table', options.table, "the sharded table's name")
  const shardMap = options.shardMap ?? defaultShardMapName(table)
  const sender = client as unknown as PhysicalClient
  const ofMap = (options.shardMapClient as unknown as PhysicalClient | undefined) ?? sender
  const key = keyOfShardMap(partitionKeyOf(await describe(sender, table)))
  const existing = await describe(ofMap, shardMap).catch(undefinedIfMissing)
  if (existing === undefined) await create(ofMap, shardMap, key)
  await waitUntilActive(ofMap, shardMap, options.clock ?? new SystemClock(), key)
  return shardMap
}

interface PartitionKey {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

/** A number cannot hold the name of an index, and a table with a numeric key has counts of indexes only. */
function keyOfShardMap({ name, type }: PartitionKey): PartitionKey {
  return { name, type: type === 'N' ? 'S' : type }
}

async function create(client: PhysicalClient, shardMap: string, { name, type }: PartitionKey): Promise<void> {
  const command = new CreateTableCommand({
    TableName: shardMap,
    KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  try {
    await client.send(command)
  } catch (error) {
    // Another process is creating the same table, which has the same result.
    if (!(error instanceof Error && error.name === 'ResourceInUseException')) throw error
  }
}

async function waitUntilActive(
  client: PhysicalClient,
  shardMap: string,
  clock: Clock,
  expected: PartitionKey,
): Promise<void> {
  let status = 'UNKNOWN'
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const description = await describe(client, shardMap).catch(undefinedIfMissing)
    // Either its deletion has finished, or it is too new for DescribeTable. In the second case creating it again does nothing.
    if (description === undefined) await create(client, shardMap, expected)
    else requireSchema(shardMap, description, expected)
    status = description?.TableStatus ?? status
    if (status === 'ACTIVE' || status === 'UPDATING') return
    await clock.sleep(POLL_MILLISECONDS)
  }
  throw new IsothermError(
    'shard-map.not-active',
    `The shard map ${shardMap} is still ${status} after ${(MAX_POLLS * POLL_MILLISECONDS) / 1_000} seconds; it must be ACTIVE before it is used. Look at the table and call again.`,
    { shardMap, status },
  )
}

function requireSchema(shardMap: string, description: TableDescription, expected: PartitionKey): void {
  const { name, type } = partitionKeyOf(description)
  const keys = description.KeySchema?.length ?? 0
  if (name === expected.name && type === expected.type && keys === 1) return
  const found = `${name} (${type})${keys > 1 ? ' and a sort key' : ''}`
  const wanted = `${expected.name} (${expected.type}) alone`
  throw new IsothermError(
    'shard-map.schema',
    `The table ${shardMap} has the key ${found}; a shard map has the sharded table's partition key, ${wanted}. Name another table with the option shardMap.`,
    { shardMap, found, expected: wanted },
  )
}

function partitionKeyOf({ KeySchema = [], AttributeDefinitions = [] }: TableDescription): PartitionKey {
  const name = KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? ''
  const type = AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType
  return { name, type: type === 'N' || type === 'B' ? type : 'S' }
}

async function describe(client: PhysicalClient, table: string): Promise<TableDescription> {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: table }))
  return Table
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
  throw error
}
