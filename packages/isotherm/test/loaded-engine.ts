import { type AttributeValue, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { isotherm } from '../src/client/isotherm.js'
import type { ShardedTableOptions } from '../src/client/options.js'
import type { IsothermEvent } from '../src/events/event.js'
import { ensureShardMap } from '../src/protocol/shard-map/ensure-shard-map.js'
import { type DynamicShardsOptions, dynamicShards } from '../src/scaling/shards.js'
import { operationOf } from '../src/sdk/operation.js'
import type { AnyCommand } from '../src/sdk/physical-client.js'
import { warmedUp } from './warmed-up.js'

export interface Load {
  readonly seed: number
  readonly processes: number
  /** The write units per second of each logical key, and the processes that write it. */
  readonly keys: Readonly<
    Record<string, { readonly unitsPerSecond: number; readonly processes?: readonly number[] }>
  >
  readonly itemUnits: number
  readonly seconds: number
  readonly shards: DynamicShardsOptions
  /** Other options of the table. The default is a log with a random suffix. */
  readonly table?: Partial<Pick<ShardedTableOptions, 'suffix' | 'cacheTtl' | 'lateRequests'>>
  /** The number of items of a key that are put repeatedly. Without it, each item is put once. */
  readonly itemsOfKey?: number
  /** Called before each request for the shard map. It may fail the request, or delay it for ever. */
  readonly beforeShardMap?: (command: AnyCommand, seconds: number) => Promise<void> | undefined
  /** Attributes of a key in the shard map before the load begins, and its count, which is 1. */
  readonly shardMap?: Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>
}

export interface LoadReport {
  readonly events: readonly IsothermEvent[]
  /** The time of each write whose first attempt was throttled, in seconds since the start, by key. */
  readonly throttledAt: ReadonlyMap<string, readonly number[]>
  readonly counts: ReadonlyMap<string, number>
  /** The number of conditional writes to the shard map that were sent, and that failed. */
  readonly mapWrites: { readonly sent: number; readonly refused: number }
  /** The units that the whole run used in the shard map. */
  readonly mapWriteUnits: number
  readonly mapReadUnits: number
}

const LOG = { partitionKey: 'pk', sortKey: 'at', suffix: 'random' } as const

/**
 * Puts items into one table of a real engine from a fleet of processes, each with its own cache, on virtual time. The
 * table has the four partitions of a new on-demand table.
 */
export async function loadedEngine(load: Load): Promise<LoadReport> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(load.seed), metrics: false })
  const client = await warmedUp(local.client({ maxAttempts: 1 }))
  const random = new SeededRandom(load.seed + 1)
  const events: IsothermEvent[] = []
  const map = { sent: 0, refused: 0 }
  const begins = clock.now()
  const watched = watchShardMap(client, map, (command) =>
    load.beforeShardMap?.(command, (clock.now() - begins) / 1_000),
  )
  const fleet = Array.from({ length: load.processes }, (_, index) =>
    isotherm<DynamoDBClient>(watched, {
      tables: { log: { ...LOG, shards: dynamicShards(load.shards), ...load.table } },
      clock,
      random: new SeededRandom(load.seed * 1_000 + index),
      onEvent: (event) => events.push(event),
    }),
  )
  const text = 'x'.repeat(load.itemUnits * 1_024 - 200)
  const throttledAt = new Map<string, number[]>()
  const counts = new Map<string, number>()
  await clock.run(async () => {
    await client.send(createTable('log', ['pk', 'at:N']))
    await ensureShardMap(client, { table: 'log', clock })
    for (const [key, attributes] of Object.entries(load.shardMap ?? {})) {
      const count = { number_of_shards: { N: '1' }, last_updated: { N: '1' } }
      const Item = { pk: { S: key }, ...count, ...attributes }
      await client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
    }
    const from = clock.now()
    let at = 0
    const writers = Object.entries(load.keys).map(async ([key, { unitsPerSecond, processes }]) => {
      const everybody = processes ?? fleet.map((_, index) => index)
      const perSecond = unitsPerSecond / load.itemUnits
      const writes: Promise<unknown>[] = []
      for (let sent = 0; sent < perSecond * load.seconds; sent++) {
        await clock.sleep(((0.5 + random.next()) * 1_000) / perSecond)
        const process = fleet[everybody[Math.floor(random.next() * everybody.length)] ?? 0]
        const Item = {
          pk: { S: key },
          at: { N: String(at++ % (load.itemsOfKey ?? Number.POSITIVE_INFINITY)) },
          text: { S: text },
        }
        writes.push(
          Promise.resolve(process?.send(new PutItemCommand({ TableName: 'log', Item }))).catch(() => {}),
        )
      }
      await Promise.all(writes)
    })
    await Promise.all(writers)
    for (const event of events) {
      if (event.type !== 'throttled' || event.attempt !== 1) continue
      const key = String(event.logicalKey)
      const times = throttledAt.get(key) ?? []
      throttledAt.set(key, times)
      times.push((event.at - from) / 1_000)
    }
    const [process] = fleet
    for (const key of Object.keys(load.keys)) {
      // A key without an item in the shard map has the initial count.
      counts.set(key, (await process?.shards('log', key).read())?.shards ?? 1)
    }
  })
  const sides = local.partitions('log_shard_map')
  const mapWriteUnits = sides.reduce((sum, { write }) => sum + write.consumedUnits, 0)
  const mapReadUnits = sides.reduce((sum, { read }) => sum + read.consumedUnits, 0)
  for (const process of fleet) process.destroy()
  await local.close()
  return { events, throttledAt, counts, mapWrites: map, mapWriteUnits, mapReadUnits }
}

/** Counts the writes that change shard counts, and how many of them failed because another process was faster. */
function watchShardMap(
  client: DynamoDBClient,
  map: { sent: number; refused: number },
  before: (command: AnyCommand) => Promise<void> | undefined,
): DynamoDBClient {
  return Object.create(client, {
    destroy: { value: () => {} },
    send: {
      value: async (command: AnyCommand, options: object) => {
        const { TableName, UpdateExpression = '' } = command.input as Record<string, string>
        const isChange =
          TableName === 'log_shard_map' &&
          operationOf(command) === 'UpdateItem' &&
          UpdateExpression.includes('#number_of_shards')
        if (isChange) map.sent += 1
        if (TableName === 'log_shard_map') await before(command)
        try {
          return await client.send(command as never, options as never)
        } catch (error) {
          if (isChange && (error as Error).name === 'ConditionalCheckFailedException') map.refused += 1
          throw error
        }
      },
    },
  })
}
