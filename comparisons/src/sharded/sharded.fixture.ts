import { paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { dynamicShards, ensureShardMap, type IsothermOptions } from 'isotherm'
import { type Served, serve } from '../served.fixture.js'

/** An engine with two tables whose keys have several shards, the same for every mapper. */
export interface ServedSharded extends Served {
  /** The options of `isotherm` for the two tables. */
  readonly options: IsothermOptions
  /** The number of shards with items of the table, read without the library. */
  shardsInUse(table: string): Promise<number>
}

const SHARDS = dynamicShards({ initial: 4 })

/** Reads of files, which are appended; and orders, each of which is read and changed by its own key. */
const TABLES = {
  audit_log: { partitionKey: 'file_path', sortKey: 'accessed_at', suffix: 'random', shards: SHARDS },
  orders: { partitionKey: 'customer', sortKey: 'order_id', suffix: 'calculated', shards: SHARDS },
} as const

export async function serveSharded(): Promise<ServedSharded> {
  const served = await serve()
  for (const [name, { partitionKey, sortKey }] of Object.entries(TABLES)) {
    await served.client.send(createTable(name, [partitionKey, sortKey]))
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
