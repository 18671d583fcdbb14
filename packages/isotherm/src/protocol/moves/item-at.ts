import { GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import type { MovingTable } from './moving-table.js'
import { type StoredItem, storedReadUnits } from './stored-item.js'

/** The cost of an item of at most four kilobytes. */
const LEAST_UNITS = 1

/** Reads an item from one shard with a consistent read. */
export async function itemAt(
  table: MovingTable,
  sender: MoveSender,
  key: ItemKey,
  shard: number,
): Promise<StoredItem | undefined> {
  const command = new GetItemCommand({
    TableName: table.options.name,
    Key: physicalItemKey(table, key, shard),
    ConsistentRead: true,
  })
  const { Item } = await sender.answer<GetItemCommandOutput>(command, LEAST_UNITS)
  if (Item !== undefined) sender.spent(storedReadUnits(Item) - LEAST_UNITS)
  return Item
}
