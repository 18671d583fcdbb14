import { BatchWriteItemCommand, CreateTableCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { ensureShardMap, type IsothermEvent, isotherm } from 'isotherm'
import type { Contestant } from './contestant.js'
import { FleetWorld } from './fleet-world.js'

/**
 * A bulk registration: one process registers 160,000 items in batches of 25, 2,600 a second, in an on-demand table with an
 * index by status, which has spent what it saved. Every item has the same status.
 */
export const BULK_INDEX = {
  name: 'bulk-index',
  title:
    'registration of 160,000 items into an index with one status and no saved units, batches of 25, 2,600 items a second',
  items: 160_000,
  itemsPerSecond: 2_600,
  /** Of the items, at most. */
  maxUnprocessedShare: 0.005,
} as const

const BATCH = 25
const TABLE = 'files'
const INDEX = 'by_status'
const TEXT = { S: 'x'.repeat(100) }

/** What one run gave. */
export interface BulkIndexRun {
  readonly shape: typeof BULK_INDEX.name
  readonly contestant: string
  readonly seed: number
  readonly items: number
  /** Items that the application was handed back, or whose batch failed. */
  readonly unprocessed: number
  readonly shardsAt: readonly { readonly second: number; readonly shards: number }[]
  /** Until the last batch was answered. */
  readonly seconds: number
}

/** Registers the items. The same seed gives the same run. */
export async function runBulkIndex(
  { name, shards }: Contestant,
  seed: number,
  items: number = BULK_INDEX.items,
): Promise<BulkIndexRun> {
  const world = new FleetWorld(seed, {}, () => {})
  const { clock } = world
  const shardsAt: { second: number; shards: number }[] = []
  let [unprocessed, seconds] = [0, 0]
  await clock.run(async () => {
    const random = new SeededRandom(seed * 1_000_003)
    const client = world.client(random)
    await client.send(
      new CreateTableCommand({
        TableName: TABLE,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'file', KeyType: 'HASH' }],
        AttributeDefinitions: [
          { AttributeName: 'file', AttributeType: 'S' },
          { AttributeName: `isotherm_${INDEX}`, AttributeType: 'S' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: INDEX,
            KeySchema: [{ AttributeName: `isotherm_${INDEX}`, KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    )
    await ensureShardMap(client, { table: TABLE, clock })
    const from = clock.now()
    const onEvent = (event: IsothermEvent) => {
      if (event.type !== 'scaled') return
      shardsAt.push({ second: (event.at - from) / 1_000, shards: event.to })
    }
    const indexes = { [INDEX]: { partitionKey: 'status', shards: shards() } }
    const tables = { [TABLE]: { partitionKey: 'file', indexes } }
    const db = isotherm(client, { tables, clock, random, onEvent })
    const write = async (first: number): Promise<void> => {
      const members = Array.from({ length: Math.min(BATCH, items - first) }, (_, at) => putOf(first + at))
      const command = new BatchWriteItemCommand({ RequestItems: { [TABLE]: members } })
      unprocessed += await db.send(command).then(
        ({ UnprocessedItems }) => UnprocessedItems?.[TABLE]?.length ?? 0,
        () => members.length,
      )
    }
    const underWay: Promise<void>[] = []
    for (let first = 0; first < items; first += BATCH) {
      underWay.push(write(first))
      await clock.sleep((1_000 * BATCH) / BULK_INDEX.itemsPerSecond)
    }
    await Promise.all(underWay)
    seconds = (clock.now() - from) / 1_000
    db.destroy()
  })
  await world.close()
  return { shape: BULK_INDEX.name, contestant: name, seed, items, unprocessed, shardsAt, seconds }
}

function putOf(at: number): WriteRequest {
  return { PutRequest: { Item: { file: { S: `file-${at}` }, status: { S: 'UN_USED' }, text: TEXT } } }
}
