import { GetItemCommand, type GetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { ItemKey } from '../../keys/item-key.js'
import { physicalItemKey } from '../../keys/physical-item-key.js'
import type { MovingTable } from './moving-table.js'
import type { StoredItem } from './stored-item.js'

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
  return (await sender.answer<GetItemCommandOutput>(command, 1)).Item
}
