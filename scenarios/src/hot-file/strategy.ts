import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import {
  type DynamicShards,
  dynamicShards,
  ensureShardMap,
  type FixedShards,
  fixedShards,
  type IsothermEvent,
  isotherm,
} from 'isotherm'
import { PARTITION_KEY, SORT_KEY } from './audit-item.js'
import { createAuditTable, refuseExistingTable } from './audit-table.js'
import type { ShardingParameters } from './sharding-parameters.js'

/** The three ways to store the audit log. */
export const STRATEGIES = ['one-key', 'fixed', 'dynamic'] as const
export type StrategyName = (typeof STRATEGIES)[number]

/** The dependencies of a strategy. */
export interface StrategyParts {
  /** A separate client: the SDK's retry budget belongs to a client, and strategies must not share one. */
  readonly client: DynamoDBClient
  readonly clock: Clock
  readonly random: Random
  readonly sharding: ShardingParameters
  readonly tablePrefix: string
  /** Called with the library's events. */
  readonly onEvent: (event: IsothermEvent) => void
}

/** One way to store the audit log. */
export interface Strategy {
  readonly name: StrategyName
  readonly title: string
  readonly table: string
  /** Every table that it creates, `table` first. */
  readonly tables: readonly string[]
  /** A file's initial shards. */
  readonly initialShards: number
  /** The client for writes and reads; the application knows logical keys only. */
  readonly db: DynamoDBClient
  /**
   * Creates the tables, and waits until they are active.
   * @param onCreated called with each table that was created and did not exist before
   * @throws ScenarioError `table.exists`, `table.not-active`
   */
  createTables(onCreated: (table: string) => void): Promise<void>
}

/** Prepares a strategy without sending anything yet. */
export function openStrategy(name: StrategyName, parts: StrategyParts): Strategy {
  const table = `${parts.tablePrefix}${name.replace('-', '_')}`
  if (name === 'one-key') return oneKey(table, parts)
  if (name === 'fixed') return fixed(table, parts)
  return dynamic(table, parts)
}

/** The plain client with the SDK's standard retries: an application that does not yet handle hot keys. */
function oneKey(table: string, { client, clock }: StrategyParts): Strategy {
  return {
    name: 'one-key',
    title: 'one key per file',
    table,
    tables: [table],
    initialShards: 1,
    db: client,
    createTables: (onCreated) => createAuditTable(client, table, clock, onCreated),
  }
}

function fixed(table: string, parts: StrategyParts): Strategy {
  const { client, clock, sharding } = parts
  return {
    name: 'fixed',
    title: `fixed, ${shardsText(sharding.fixedShards)}`,
    table,
    tables: [table],
    initialShards: sharding.fixedShards,
    db: shardedClient(table, fixedShards(sharding.fixedShards), parts),
    createTables: (onCreated) => createAuditTable(client, table, clock, onCreated),
  }
}

function dynamic(table: string, parts: StrategyParts): Strategy {
  const { client, clock, sharding } = parts
  const { initialShards, maxShards, cooldownSeconds, jitterSeconds } = sharding
  const [from, to] = jitterSeconds
  const shards = dynamicShards({
    initial: initialShards,
    max: maxShards,
    cooldown: cooldownSeconds * 1_000,
    jitter: [from * 1_000, to * 1_000],
  })
  const shardMap = `${table}_shard_map`
  return {
    name: 'dynamic',
    title: `dynamic, from ${initialShards}`,
    table,
    tables: [table, shardMap],
    initialShards,
    db: shardedClient(table, shards, parts),
    createTables: async (onCreated) => {
      await refuseExistingTable(client, shardMap)
      await createAuditTable(client, table, clock, onCreated)
      onCreated(shardMap)
      await ensureShardMap(client, { table, shardMap, clock })
    },
  }
}

function shardedClient(
  table: string,
  shards: FixedShards | DynamicShards,
  { client, clock, random, onEvent }: StrategyParts,
): DynamoDBClient {
  const options = { partitionKey: PARTITION_KEY, sortKey: SORT_KEY, suffix: 'random', shards } as const
  return isotherm(client, { tables: { [table]: options }, clock, random, onEvent })
}

function shardsText(count: number): string {
  return count === 1 ? '1 shard' : `${count} shards`
}
