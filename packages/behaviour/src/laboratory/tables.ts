import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { ensureShardMap } from 'isotherm'
import { type Index, SHAPES, type Shape, type ShapeName } from './shapes.js'

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

/** @param hasLocalIndexes whether the engine supports them; otherwise the tables are created without */
export async function makeTables(
  client: DynamoDBClient,
  names: TableNames,
  hasLocalIndexes: boolean,
): Promise<void> {
  const shapes = Object.entries(SHAPES) as [ShapeName, Shape][]
  await Promise.all(
    shapes.flatMap(([name, { indexes = [], ...shape }]) =>
      (['sharded', 'plain'] as const).map((kind) => {
        const made = indexes.filter((index) => hasLocalIndexes || index.kind === 'global')
        return makeTable(client, names[kind][name], { ...shape, indexes: made }, kind)
      }),
    ),
  )
  for (const [name, { options }] of shapes) {
    if (isDynamic(options)) await ensureShardMap(client, { table: names.sharded[name] })
  }
}

export async function deleteTables(client: DynamoDBClient, names: TableNames): Promise<void> {
  const dynamic = (Object.keys(SHAPES) as ShapeName[]).filter((name) => isDynamic(SHAPES[name].options))
  const maps = dynamic.map((name) => `${names.sharded[name]}_shard_map`)
  for (const TableName of [...Object.values(names.sharded), ...Object.values(names.plain), ...maps]) {
    await client.send(new DeleteTableCommand({ TableName }))
  }
}

function isDynamic({ shards }: Shape['options']): boolean {
  return shards?.kind === 'dynamic'
}

async function makeTable(
  client: DynamoDBClient,
  TableName: string,
  { types, indexes = [], options }: Shape,
  kind: 'sharded' | 'plain',
): Promise<void> {
  const attributes = new Map<string, 'S' | 'N' | 'B'>([
    [options.partitionKey, types.partitionKey],
    [options.sortKey, types.sortKey],
  ])
  for (const { partitionKey, sortKey } of indexes) {
    if (!attributes.has(partitionKey[kind])) attributes.set(partitionKey[kind], 'S')
    attributes.set(sortKey.name, sortKey.type)
  }
  const described = (which: Index['kind']) => {
    const made = indexes.filter((index) => index.kind === which)
    if (made.length === 0) return undefined
    return made.map(({ name, partitionKey, sortKey }) => ({
      IndexName: name,
      KeySchema: keySchema(partitionKey[kind], sortKey.name),
      Projection: { ProjectionType: 'ALL' as const },
    }))
  }
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      KeySchema: keySchema(options.partitionKey, options.sortKey),
      LocalSecondaryIndexes: described('local'),
      GlobalSecondaryIndexes: described('global'),
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1, maxDelay: 5 }, { TableName })
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ]
}
