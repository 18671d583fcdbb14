import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { CommandError, EXIT_FAILED } from '../command-error.js'

/** @throws CommandError if there is no such table, which names the region, because a wrong one looks the same */
export async function requiredTable(
  client: DynamoDBClient,
  table: string,
): Promise<TableDescription | undefined> {
  const described = await describe(client, table)
  if (described !== 'missing') return described
  throw new CommandError(
    `There is no table ${table} in ${await placeOf(client)}. Check --table, --region, --endpoint and --profile.`,
    EXIT_FAILED,
  )
}

/** @throws CommandError if the shard map of a table does not exist, with further cures at its end */
export async function requireShardMap(
  client: DynamoDBClient,
  { table, shardMap }: { readonly table: string; readonly shardMap?: string },
  ...cures: readonly string[]
): Promise<void> {
  const name = shardMap ?? `${table}_shard_map`
  if ((await describe(client, name)) !== 'missing') return
  const message =
    `The table ${table} has no shard map ${name} in ${await placeOf(client)}: it is not sharded with dynamicShards, or its shard map has another name. ` +
    'Check --table and --region, name the map with --shard-map, or create it with isotherm shards create-table.'
  throw new CommandError([message, ...cures].join(' '), EXIT_FAILED)
}

async function describe(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined | 'missing'> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 'missing'
    throw error
  }
}

async function placeOf(client: DynamoDBClient): Promise<string> {
  return `the region ${await client.config.region()}`
}
