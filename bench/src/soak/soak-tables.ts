import { writeFileSync } from 'node:fs'
import { CreateTableCommand, type DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { dynamicShards, ensureShardMap, type IsothermOptions } from 'isotherm'

export const REGION = 'us-east-1'

/** Appends, which expire. */
export const LOG = 'soak_log'
/** Items that are replaced again and again. */
export const DOCUMENTS = 'soak_documents'

/** Counts fall soon, and whatever it costs, so that a short run sees it too. */
const SCALING = { quiet: '1m', shrink: 'always' } as const

const KEYS = {
  [LOG]: { partitionKey: 'file', sortKey: 'at', suffix: 'random' },
  [DOCUMENTS]: { partitionKey: 'folder', sortKey: 'name', suffix: 'calculated' },
} as const

export const SHARDED_TABLES: IsothermOptions['tables'] = {
  [LOG]: { ...KEYS[LOG], shards: dynamicShards(SCALING) },
  [DOCUMENTS]: { ...KEYS[DOCUMENTS], shards: dynamicShards(SCALING) },
}

/** Writes the same options as a configuration of the proxy. YAML contains JSON. */
export function writeProxyConfiguration(file: string): void {
  const shards = { dynamic: SCALING }
  const tables = { [LOG]: { ...KEYS[LOG], shards }, [DOCUMENTS]: { ...KEYS[DOCUMENTS], shards } }
  writeFileSync(file, JSON.stringify({ region: REGION, tables }))
}

/** @returns the stream of the log */
export async function createSoakTables(client: DynamoDBClient): Promise<string> {
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: LOG,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'file', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'file', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    }),
  )
  const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true }
  await client.send(new UpdateTimeToLiveCommand({ TableName: LOG, TimeToLiveSpecification }))
  await client.send(
    new CreateTableCommand({
      TableName: DOCUMENTS,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'folder', AttributeType: 'S' },
        { AttributeName: 'name', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'folder', KeyType: 'HASH' },
        { AttributeName: 'name', KeyType: 'RANGE' },
      ],
    }),
  )
  for (const table of [LOG, DOCUMENTS]) await ensureShardMap(client, { table })
  const stream = TableDescription?.LatestStreamArn
  if (stream === undefined) throw new Error(`The table ${LOG} has no stream.`)
  return stream
}
