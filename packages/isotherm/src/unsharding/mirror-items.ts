import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  type GetItemCommandOutput,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { equalItems, type Item, itemBytes, readUnits, writeUnits } from '@isotherm/semantics'
import type { MoveSender } from '../attempts/move-sender.js'
import { pagesOf } from '../attempts/pages-of.js'
import { concurrently } from '../bounded/concurrently.js'
import { itemName } from '../keys/item-name.js'
import type { LogicalKey } from '../keys/key.js'
import type { MovedKeys } from '../scans/moved-keys.js'
import type { AnyCommand } from '../sdk/physical-client.js'

type StoredItem = Record<string, AttributeValue>

/** The tables, and how items of each are read and written. */
export interface Mirrored {
  /** The sharded table. */
  readonly source: string
  /** The plain table with the same keys. */
  readonly target: string
  /** The names of the key attributes. */
  readonly keys: readonly string[]
  /** A client that shards the source. */
  readonly sharded: { send(command: AnyCommand): Promise<unknown> }
  /** For the target, no faster than asked. */
  readonly sender: MoveSender
  /** Begins to watch which keys are moved. `undefined` if none ever is. */
  readonly movedKeys: (() => Promise<MovedKeys>) | undefined
  readonly signal: AbortSignal | undefined
}

/** The progress of a copy. */
export interface MirrorProgress {
  /** Items of the sharded table that were read. */
  readonly scanned: number
  /** Items that the plain table did not have, or had otherwise, and that were put there. */
  readonly copied: number
  /** Items of the plain table that were deleted, because the sharded table has none of that key. */
  readonly deleted: number
}

const PAGE_ITEMS = 100
const ITEMS_AT_A_TIME = 16

/** The cost of an item of at most four kilobytes, read consistently. */
const LEAST_READ_UNITS = 1

/**
 * Puts every item of the sharded table into the plain one, unless it is there already.
 *
 * A scan may show an item as it was, twice, or, if an application has put it into two shards, as two items. So an item that the
 * plain table has otherwise is read once more by its key. It may also miss an item that moves. So the keys whose items may have been
 * moved meanwhile are queried afterwards: a query misses none.
 */
export async function copyItems(
  tables: Mirrored,
  onPage: (progress: Pick<MirrorProgress, 'scanned' | 'copied'>) => void,
): Promise<void> {
  const { source, keys, movedKeys, signal } = tables
  let [scanned, copied] = [0, 0]
  const copyAll = async (pages: AsyncIterable<readonly StoredItem[]>, isOfScan: boolean) => {
    for await (const items of pages) {
      const byName = new Map<string, StoredItem[]>()
      for (const item of items) {
        const name = itemName(keys, item)
        byName.set(name, [...(byName.get(name) ?? []), item])
      }
      await concurrently([...byName.values()], ITEMS_AT_A_TIME, async ([item, ...others]) => {
        signal?.throwIfAborted()
        if (item !== undefined && (await copy(tables, item, others.length > 0))) copied += 1
      })
      if (isOfScan) scanned += items.length
      onPage({ scanned, copied })
    }
  }
  const moved = await movedKeys?.()
  await copyAll(
    pagesIn(tables, (page) => new ScanCommand({ ...page, TableName: source })),
    true,
  )
  for await (const { key } of moved?.found() ?? []) {
    await copyAll(
      pagesIn(tables, (page) => new QueryCommand({ ...page, ...ofKey(tables, key) })),
      false,
    )
  }
}

/** The pages of a scan or a query of the sharded table, with logical keys. */
async function* pagesIn(
  { sharded, sender, signal }: Mirrored,
  command: (page: Pick<ScanCommandInput, 'ConsistentRead' | 'Limit' | 'ExclusiveStartKey'>) => AnyCommand,
): AsyncGenerator<readonly StoredItem[]> {
  let ExclusiveStartKey: StoredItem | undefined
  do {
    signal?.throwIfAborted()
    const page = {
      ConsistentRead: true,
      Limit: PAGE_ITEMS,
      ExclusiveStartKey,
      ReturnConsumedCapacity: 'TOTAL',
    }
    const {
      Items = [],
      ConsumedCapacity,
      LastEvaluatedKey,
    } = (await sharded.send(command(page))) as ScanCommandOutput
    sender.spent(ConsumedCapacity?.CapacityUnits ?? unitsOf(Items))
    yield Items
    ExclusiveStartKey = LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
}

function ofKey({ source, keys: [partitionKey = ''] }: Mirrored, key: LogicalKey): QueryCommandInput {
  return {
    TableName: source,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: { ':key': { ...key } },
  }
}

/** Deletes the items of the plain table that the sharded table does not have. */
export async function deleteOthers(tables: Mirrored, onPage: (deleted: number) => void): Promise<void> {
  const { target, keys, sender, signal } = tables
  const names = Object.fromEntries(keys.map((key, at) => [`#k${at}`, key]))
  const pages = pagesOf(sender, signal, {
    TableName: target,
    ConsistentRead: true,
    Limit: PAGE_ITEMS,
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
  })
  let deleted = 0
  for await (const { Items = [] } of pages) {
    await concurrently(Items, ITEMS_AT_A_TIME, async (Key) => {
      signal?.throwIfAborted()
      if ((await inSource(tables, Key)) !== undefined) return
      await sender.answer(new DeleteItemCommand({ TableName: target, Key }), 1)
      deleted += 1
    })
    onPage(deleted)
  }
}

/** @returns whether the item was put */
async function copy(tables: Mirrored, scanned: StoredItem, isDoubtful: boolean): Promise<boolean> {
  const { target, keys, sender } = tables
  const Key = Object.fromEntries(keys.map((key) => [key, scanned[key] as AttributeValue]))
  const read = new GetItemCommand({ TableName: target, Key, ConsistentRead: true })
  const { Item: present } = await sender.answer<GetItemCommandOutput>(read, LEAST_READ_UNITS)
  if (present !== undefined) sender.spent(unitsOf([present]) - LEAST_READ_UNITS)
  if (!isDoubtful && isSame(present, scanned)) return false
  const item = present === undefined && !isDoubtful ? scanned : await inSource(tables, Key)
  if (item === undefined || isSame(present, item)) return false
  const units = writeUnits(itemBytes(item as unknown as Item))
  await sender.answer(new PutItemCommand({ TableName: target, Item: item }), units)
  return true
}

async function inSource(
  { source, sharded, sender }: Mirrored,
  Key: StoredItem,
): Promise<StoredItem | undefined> {
  const command = new GetItemCommand({
    TableName: source,
    Key,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  const { Item, ConsumedCapacity } = (await sharded.send(command)) as GetItemCommandOutput
  sender.spent(ConsumedCapacity?.CapacityUnits ?? LEAST_READ_UNITS)
  return Item
}

function isSame(a: StoredItem | undefined, b: StoredItem): boolean {
  return a !== undefined && equalItems(a as unknown as Item, b as unknown as Item)
}

function unitsOf(items: readonly StoredItem[]): number {
  const bytes = items.reduce((sum, item) => sum + itemBytes(item as unknown as Item), 0)
  return readUnits(bytes, 'strong')
}
