import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { ShardedTableOptions } from 'isotherm'
import type { Execute } from '../world/engine-lane.js'
import type { Library } from '../world/library.js'
import { KEY_WRITES_PER_SECOND } from './region.js'
import type { Setup } from './setup.js'
import type { TableKeys } from './written-keys.js'

/** The global table, and its keys that have items. */
export const TABLE = 'log'
export const KEYS = ['k0', 'k1'] as const

const SHARD_MAP = `${TABLE}_shard_map`
const FIXED_SHARDS = 4
export const MAX_SHARDS = 8

/** Replication takes so long at most. `lateRequests` is longer, or much shorter. */
export const LONGEST_LAG_MILLISECONDS = 4_000
const LATE_REQUESTS = { covering: '6s', short: '1s' } as const

/** How late requests arrive. With the lag, it is less than the longer `lateRequests`. */
export const LATEST_MILLISECONDS = 900

/** So that a pass takes seconds. */
const DRAIN_UNITS_PER_SECOND = 10

/** The tables that replicate. */
export function replicatedTables({ shardMaps }: Setup): TableKeys {
  return new Map([[TABLE, ['pk', 'sk']], ...(shardMaps === 2 ? [[SHARD_MAP, ['pk']] as const] : [])])
}

/** Creates the tables of one region. A shard map that does not replicate is used in one region alone. */
export async function createTables(execute: Execute): Promise<void> {
  await execute('CreateTable', schemaOf(TABLE, ['pk', 'sk']))
  await execute('CreateTable', schemaOf(SHARD_MAP, ['pk']))
}

function schemaOf(TableName: string, keys: readonly string[]): object {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  }
}

/**
 * The options of a process.
 * @param shardMapClient its client of the region with the only shard map
 */
export function tableOptions(
  { fixedShards, dynamicShards, calculated, doubling }: Library,
  { suffix, isFixed, shardMaps, shrinks, writers, lateRequestsCoverLag }: Setup,
  shardMapClient: DynamoDBClient,
): ShardedTableOptions {
  const keysOfOneRegion = suffix === 'calculated' && writers === 'one region'
  return {
    partitionKey: 'pk',
    sortKey: 'sk',
    suffix: suffix === 'random' ? suffix : calculated(),
    shards: isFixed
      ? fixedShards(FIXED_SHARDS)
      : dynamicShards({
          max: MAX_SHARDS,
          policy: doubling(),
          cooldown: '5s',
          jitter: ['100ms', '1s'],
          quiet: shrinks ? '1m' : false,
          partitionUnitsPerSecond: KEY_WRITES_PER_SECOND,
          drainUnitsPerSecond: DRAIN_UNITS_PER_SECOND,
        }),
    cacheTtl: '1s',
    lateRequests: LATE_REQUESTS[lateRequestsCoverLag ? 'covering' : 'short'],
    ...(shardMaps === 1 && !isFixed ? { shardMap: { client: shardMapClient, keysOfOneRegion } } : {}),
  }
}

/** A page of all items of a key. */
export function queryOf(key: string, start: QueryCommandOutput['LastEvaluatedKey']): QueryCommand {
  return new QueryCommand({
    TableName: TABLE,
    KeyConditionExpression: 'pk = :key',
    ExpressionAttributeValues: { ':key': { S: key } },
    ConsistentRead: true,
    ExclusiveStartKey: start,
  })
}
