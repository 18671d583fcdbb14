import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { ensureShardMap } from 'isotherm'
import { SHAPES, type Shape, type ShapeName } from './shapes.js'

const WAIT_SECONDS = 120

/** Names of the suite's tables: two of each shape, one to be sharded and one that never is. */
export interface TableNames {
  readonly sharded: Readonly<Record<ShapeName, string>>
  readonly plain: Readonly<Record<ShapeName, string>>
}

export function tableNames(prefix: string): TableNames {
  const named = (kind: string) =>
    Object.fromEntries(Object.keys(SHAPES).map((shape) => [shape, `${prefix}_${shape}_${kind}`]))
  return { sharded: named('sharded'), plain: named('plain') } as unknown as TableNames
}

export async function makeTables(client: DynamoDBClient, names: TableNames): Promise<void> {
  const shapes = Object.entries(SHAPES) as [ShapeName, Shape][]
  await Promise.all(
    shapes.flatMap(([name, shape]) => [
      makeTable(client, names.sharded[name], shape),
      makeTable(client, names.plain[name], shape),
    ]),
  )
  for (const [name, { options }] of shapes) {
    if (options.shards.kind === 'dynamic') await ensureShardMap(client, { table: names.sharded[name] })
  }
}

export async function deleteTables(client: DynamoDBClient, names: TableNames): Promise<void> {
  const dynamic = (Object.keys(SHAPES) as ShapeName[]).filter(
    (name) => SHAPES[name].options.shards.kind === 'dynamic',
  )
  const maps = dynamic.map((name) => `${names.sharded[name]}_shard_map`)
  for (const TableName of [...Object.values(names.sharded), ...Object.values(names.plain), ...maps]) {
    await client.send(new DeleteTableCommand({ TableName }))
  }
}

async function makeTable(client: DynamoDBClient, TableName: string, { types, options }: Shape) {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: options.partitionKey, AttributeType: types.partitionKey },
        { AttributeName: options.sortKey, AttributeType: types.sortKey },
      ],
      KeySchema: [
        { AttributeName: options.partitionKey, KeyType: 'HASH' },
        { AttributeName: options.sortKey, KeyType: 'RANGE' },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1, maxDelay: 5 }, { TableName })
}
