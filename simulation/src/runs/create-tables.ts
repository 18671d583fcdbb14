import type { Execute } from '../world/engine-lane.js'
import {
  type PlainTable,
  shardMapOf,
  type WorkloadIndex,
  type WorkloadTable,
} from '../world/workload-table.js'

const EVERYTHING = { ProjectionType: 'ALL' }

/**
 * Makes the tables of a workload and their shard maps.
 * @param writeUnitsPerSecond what each of the tables takes at most, beside what its partitions take; its shard map has no such limit
 */
export async function createTables(
  execute: Execute,
  tables: readonly WorkloadTable[],
  writeUnitsPerSecond = Number.POSITIVE_INFINITY,
): Promise<void> {
  const limit = Number.isFinite(writeUnitsPerSecond)
    ? { OnDemandThroughput: { MaxWriteRequestUnits: writeUnitsPerSecond } }
    : {}
  for (const { name, partitionKey, sortKey, sortType, sharded, indexes } of tables) {
    const KeySchema = [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ]
    const replicas = (sharded.readReplicas ?? []).map((IndexName) => ({
      IndexName,
      KeySchema,
      Projection: EVERYTHING,
    }))
    const definitions = [...indexes.map(indexDefinition), ...replicas]
    await execute('CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      ...limit,
      KeySchema,
      AttributeDefinitions: [
        { AttributeName: partitionKey, AttributeType: 'S' },
        { AttributeName: sortKey, AttributeType: sortType },
        ...indexes.flatMap(indexAttributes),
      ],
      ...(definitions.length === 0 ? {} : { GlobalSecondaryIndexes: definitions }),
    })
    await execute('CreateTable', {
      TableName: shardMapOf({ name, sharded }),
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
    })
  }
}

/** Makes the tables that the library does not shard. */
export async function createPlainTables(execute: Execute, tables: readonly PlainTable[]): Promise<void> {
  for (const { name, partitionKey, sortKey } of tables) {
    await execute('CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
    })
  }
}

function indexDefinition({ name, sortKey }: WorkloadIndex) {
  const range = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }]
  return {
    IndexName: name,
    KeySchema: [{ AttributeName: shadowKeyOf(name), KeyType: 'HASH' }, ...range],
    Projection: EVERYTHING,
  }
}

function indexAttributes({ name, sortKey, sortType = 'N' }: WorkloadIndex) {
  const range = sortKey === undefined ? [] : [{ AttributeName: sortKey, AttributeType: sortType }]
  return [{ AttributeName: shadowKeyOf(name), AttributeType: 'S' }, ...range]
}

/** As the library names it. */
function shadowKeyOf(index: string): string {
  return `isotherm_${index}`
}
