import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable, type TableShape } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { isotherm } from '../src/client/isotherm.js'
import type { IsothermMethods } from '../src/client/isotherm-methods.js'
import type { ShardedTableOptions } from '../src/client/options.js'
import { atRest, type ShardCount, type ShardState } from '../src/protocol/states/shard-state.js'
import { toAttributes } from '../src/protocol/stored-state/shard-map-item.js'
import { listAll } from './list-all.js'
import { warmedUp } from './warmed-up.js'

export type StoredItem = Record<string, AttributeValue>

/** A sharded table `log`, its shard map, and an unsharded table `plain` beside it, in one real engine on virtual time. */
export interface ShardedEngine {
  readonly clock: VirtualClock
  readonly random: SeededRandom
  /** An unsharded client of the engine, which uses physical keys. */
  readonly client: DynamoDBClient
  /** A new process with its own cache. */
  process(): DynamoDBClient & IsothermMethods
  /** Writes the state of the key `k` into the shard map, as another process would. */
  setState(state: ShardState | ShardCount): Promise<void>
  close(): Promise<void>
}

interface EngineShape {
  readonly seed?: number
  readonly latencyMilliseconds?: number
  readonly readLagMilliseconds?: number
  /** The global indexes of the table `log`. */
  readonly global?: NonNullable<TableShape['global']>
}

export async function shardedEngine(
  table: Partial<ShardedTableOptions> & Pick<ShardedTableOptions, 'suffix' | 'shards'>,
  { seed = 1, latencyMilliseconds = 0, readLagMilliseconds = 0, global = {} }: EngineShape = {},
): Promise<ShardedEngine> {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const local = createLocal({
    clock,
    random: new SeededRandom(seed + 1),
    throttle: false,
    propagation: { readLagMilliseconds },
  })
  const client = await warmedUp(local.client())
  const open = (seed: number) =>
    isotherm(client, {
      tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...table } },
      clock,
      random: new SeededRandom(seed),
    })
  await client.send(createTable('log', ['pk', 'sk:N'], { global }))
  await client.send(createTable('plain', ['pk', 'sk:N']))
  await client.send(createTable('log_shard_map', ['pk']))
  if (latencyMilliseconds > 0) addLatency(client, clock, random, latencyMilliseconds)
  return {
    clock,
    random,
    client,
    process: () => open(Math.floor(random.next() * 1e9)),
    setState: async (state) => {
      const Item = { ...toAttributes('phase' in state ? state : atRest(state)), pk: { S: 'k' } }
      await listAll(open(seed), 'log', 'pk', { sk: { N: '0' } })
      await client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
    },
    close: () => local.close(),
  }
}

/** Every item of a table, with physical keys. */
export async function scanned(client: DynamoDBClient, TableName: string): Promise<readonly StoredItem[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }))
  return Items
}

/** Adds a random latency before each request and before each response. */
function addLatency(client: DynamoDBClient, clock: VirtualClock, random: SeededRandom, most: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      await clock.sleep(random.next() * most)
      try {
        return await next(args)
      } finally {
        await clock.sleep(random.next() * most)
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'latency' },
  )
}
