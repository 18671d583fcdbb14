import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type AttributeValue, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from './shards.js'

const RATE = 500
const ITEMS_AT_A_TIME = 8
const ITEMS = 300
const BYTES = 30_000

/** The units that requests of the table `log` use from now on, by second. */
function usedUnits({ client, clock }: ShardedEngine): Map<number, number> {
  const used = new Map<number, number>()
  type Capacity = { readonly TableName: string; readonly CapacityUnits: number }
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const answer = await next(args)
      const { ConsumedCapacity } = answer.output as {
        readonly ConsumedCapacity?: Capacity | readonly Capacity[]
      }
      for (const { TableName, CapacityUnits } of [ConsumedCapacity ?? []].flat() as readonly Capacity[]) {
        if (TableName !== 'log') continue
        const second = Math.floor(clock.now() / 1_000)
        used.set(second, (used.get(second) ?? 0) + CapacityUnits)
      }
      return answer
    },
    { step: 'initialize', name: 'usedUnits' },
  )
  return used
}

async function fill(client: DynamoDBClient, shards: number): Promise<void> {
  const body: AttributeValue = { S: 'x'.repeat(BYTES) }
  for (let item = 0; item < ITEMS; item += 25) {
    const members = Array.from({ length: 25 }, (_, member) => ({
      PutRequest: {
        Item: { pk: { S: `k_${1 + ((item + member) % shards)}` }, sk: { N: String(item + member) }, body },
      },
    }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { log: members } }))
  }
}

it.each([
  // Half of the items get a mark, and move.
  { suffix: 'random', transactions: true, from: 2, to: 1, writes: 5 },
  { suffix: 'random', transactions: false, from: 2, to: 1, writes: 3 },
  // The shard from which items move keeps the other half, and is read until none moves any more.
  { suffix: 'calculated', transactions: true, from: 1, to: 2, writes: 5 },
] as const)(
  'moves large items, and reads those that stay, at the rate that was asked for: %o',
  async ({ suffix, transactions, from, to, writes }) => {
    const engine = await shardedEngine(
      { suffix, shards: dynamicShards(), transactions, cacheTtl: '2s', lateRequests: '1s' },
      { latencyMilliseconds: 5 },
    )
    const { clock, client } = engine
    const shards = engine.process().shards('log', 'k')
    const used = await clock.run(async () => {
      await shards.set(from)
      await fill(client, from)
      const units = usedUnits(engine)
      await shards.set(to)
      await shards.drain({ unitsPerSecond: RATE })
      return [...units.values()]
    })
    const total = used.reduce((sum, units) => sum + units, 0)
    const item = Math.ceil(BYTES / 1_024)
    expect(total).toBeGreaterThan(0.4 * ITEMS * item * writes)
    // Only the marks of the items that move at the same time show how large these are.
    expect(Math.max(...used)).toBeLessThan(RATE + ITEMS_AT_A_TIME * item)
    expect(total / used.length).toBeLessThan(1.1 * RATE)
    await engine.close()
  },
)
