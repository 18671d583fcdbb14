import { DeleteTableCommand, type DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
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
  const typed = (name: string, type: string) => `${name}:${type}`
  const described = indexes.map((index) => ({
    ...index,
    sort: typed(index.sortKey.name, index.sortKey.type),
  }))
  const key = [
    typed(options.partitionKey, types.partitionKey),
    typed(options.sortKey, types.sortKey),
  ] as const
  const global = described
    .filter((index) => index.kind === 'global')
    .map(({ name, partitionKey, sort }) => [name, [partitionKey[kind], sort] as const])
  const local = described.filter((index) => index.kind === 'local').map(({ name, sort }) => [name, sort])
  await client.send(
    createTable(TableName, key, { global: Object.fromEntries(global), local: Object.fromEntries(local) }),
  )
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1, maxDelay: 5 }, { TableName })
}
