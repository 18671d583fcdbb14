import type { WorkloadTable } from '../workloads/workload.js'
import type { Execute } from '../world/engine-lane.js'

/** Makes the tables of a workload and their shard maps. */
export async function createTables(execute: Execute, tables: readonly WorkloadTable[]): Promise<void> {
  for (const { name, partitionKey, sortKey, sortType, sharded } of tables) {
    await execute('CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: partitionKey, AttributeType: 'S' },
        { AttributeName: sortKey, AttributeType: sortType },
      ],
    })
    await execute('CreateTable', {
      TableName: sharded.shardMap ?? `${name}_shard_map`,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
    })
  }
}
