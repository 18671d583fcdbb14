import { CreateTableCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { dynamicShards, ensureShardMap, type IsothermOptions } from 'isotherm'
import { type Served, serve } from '../served.fixture.js'

/** An engine with two tables whose keys have several shards, as every mapper finds it. */
export interface ServedSharded extends Served {
  /** What `isotherm` is told of the two tables. */
  readonly options: IsothermOptions
  /** How many shards hold items of the table, seen behind the library's back. */
  shardsInUse(table: string): Promise<number>
}

const SHARDS = dynamicShards({ initial: 4 })

/** Reads of files, appended; and orders, each read and changed by its own key. */
const TABLES = {
  audit_log: { partitionKey: 'file_path', sortKey: 'accessed_at', suffix: 'random', shards: SHARDS },
  orders: { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', shards: SHARDS },
} as const

export async function serveSharded(): Promise<ServedSharded> {
  const served = await serve()
  for (const [name, { partitionKey, sortKey }] of Object.entries(TABLES)) {
    await createTable(served.client, name, partitionKey, sortKey)
    await ensureShardMap(served.client, { table: name })
  }
  return {
    ...served,
    options: { tables: TABLES },
    async shardsInUse(table) {
      const partitionKey = TABLES[table as keyof typeof TABLES].partitionKey
      const shards = new Set<string>()
      for await (const { Items = [] } of paginateScan({ client: served.client }, { TableName: table })) {
        for (const item of Items) shards.add(item[partitionKey]?.S?.split('_').at(-1) ?? '')
      }
      return shards.size
    },
  }
}

async function createTable(client: DynamoDBClient, name: string, partitionKey: string, sortKey: string) {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [partitionKey, sortKey].map((attribute) => ({
        AttributeName: attribute,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
    }),
  )
}
