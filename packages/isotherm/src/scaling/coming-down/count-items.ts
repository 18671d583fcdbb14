import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { READ_UNIT_BYTES, writeUnits as writeUnitsOf } from '@isotherm/semantics'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { LogicalKey } from '../../keys/key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import type { MovingTable, StoredItem } from '../../protocol/index.js'
import type { MoveCosts } from './move-costs.js'

/** A write unit costs as much as five read units. Source: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const READ_UNITS_OF_A_WRITE_UNIT = 5

/** Items that are to be moved, and what that costs. */
export interface ItemsToMove {
  readonly items: number
  /** How many of them the service deletes by their time to live before the move would have paid. */
  readonly expiringItems: number
  readonly writeUnits: number
  /** The price of the move as a whole, in read units. */
  readonly priceReadUnits: number
  /** Whether all items were counted. If not, there are more. */
  readonly isComplete: boolean
}

export interface CountOptions {
  readonly sender: MoveSender
  readonly costs: MoveCosts
  readonly shards: readonly number[]
  /** Epoch seconds. Items that the service deletes before then are expiring. */
  readonly expiringBefore: number
  /** Counting ends when the price is above this number of read units. It costs about half a percent of the price. */
  readonly enoughReadUnits: number
}

/** Counts the items of the shards, page by page, and computes what moving them costs. */
export async function countItems(
  table: MovingTable,
  key: LogicalKey,
  { sender, costs, shards, expiringBefore, enoughReadUnits }: CountOptions,
): Promise<ItemsToMove> {
  let [items, expiringItems, writeUnits, priceReadUnits] = [0, 0, 0, 0]
  for (const shard of shards) {
    // A long key has no items in shards without room for it.
    if (!table.suffix.hasRoom(key, shard)) continue
    let after: StoredItem | undefined
    do {
      if (priceReadUnits > enoughReadUnits) {
        return { items, expiringItems, writeUnits, priceReadUnits, isComplete: false }
      }
      const page = await pageOf(table, sender, {
        key,
        shard,
        after,
        timeToLive: costs.timeToLive,
      })
      const count = page.Count ?? 0
      const bytes = bytesOf(page)
      const itemUnits = count === 0 ? 0 : writeUnitsOf(bytes / count)
      items += count
      writeUnits += count * itemUnits * costs.unitsPerKilobyte
      priceReadUnits = writeUnits * READ_UNITS_OF_A_WRITE_UNIT
      if (costs.timeToLive !== undefined) {
        expiringItems += expiring(page, costs.timeToLive, expiringBefore)
      }
      after = page.LastEvaluatedKey
    } while (after !== undefined)
  }
  return { items, expiringItems, writeUnits, priceReadUnits, isComplete: true }
}

interface PageToCount {
  readonly key: LogicalKey
  readonly shard: number
  readonly after: StoredItem | undefined
  readonly timeToLive: string | undefined
}

function pageOf(
  table: MovingTable,
  sender: MoveSender,
  { key, shard, after, timeToLive }: PageToCount,
): Promise<QueryCommandOutput> {
  const { name, partitionKey } = table.options
  const partition = physicalItemKey(table, { logical: key, sort: undefined }, shard)[partitionKey]
  if (partition === undefined) throw new Error('A physical key has no partition key.')
  const shown =
    timeToLive === undefined ? ({ Select: 'COUNT' } as const) : ({ ProjectionExpression: '#expiry' } as const)
  return sender.queryPage({
    TableName: name,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: {
      '#key': partitionKey,
      ...(timeToLive === undefined ? {} : { '#expiry': timeToLive }),
    },
    ExpressionAttributeValues: { ':key': partition },
    ExclusiveStartKey: after,
    ...shown,
  })
}

/** The service rounds a page up to a read unit: by half of one on average. Without figures, items count as small. */
function bytesOf({ ConsumedCapacity }: QueryCommandOutput): number {
  const units = ConsumedCapacity?.CapacityUnits ?? 0
  return Math.max(0, 2 * units - 0.5) * READ_UNIT_BYTES
}

function expiring({ Items = [] }: QueryCommandOutput, timeToLive: string, before: number): number {
  return Items.filter((item) => {
    const at = Number(item[timeToLive]?.N)
    return at > 0 && at < before
  }).length
}
