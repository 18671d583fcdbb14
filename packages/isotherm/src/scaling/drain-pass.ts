import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { isKeyValue, type AttributeValue as Value } from '@isotherm/semantics'
import type { MoveSender } from '../attempts/move-sender.js'
import { concurrentlyToTheEnd } from '../bounded/concurrently.js'
import { canonicalKeyValue, type ItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { physicalItemKey } from '../keys/physical-item-key.js'
import {
  isNoRoom,
  MOVE_ATTRIBUTES,
  type MovingTable,
  moveItem,
  type ShardView,
  type StoredItem,
} from '../protocol/index.js'

/** The progress of a pass over the source shards. */
export interface PassProgress {
  /** The number of items read from the source shards. */
  readonly scanned: number
  readonly moved: number
  /** The number of items left in their source shard because the target shard has another item with the same key. */
  readonly twoCopies: number
  /** The current source shard, and how many source shards there are. */
  readonly shard: number
  readonly shards: number
}

export interface DrainPassOptions {
  readonly sender: MoveSender
  /**
   * Returns the current view of the shard map. Called before each page and each item.
   * @throws PassOvertaken if the state no longer matches this pass
   */
  readonly currentView: () => Promise<ShardView>
  /**
   * Reads the shard map again, after a page was read, if items may be appended to its shard as soon as the key has grown again.
   * @throws PassOvertaken as `currentView`
   */
  readonly confirmed: () => Promise<void>
  readonly sources: readonly number[]
  readonly discards: boolean
  /** The number of items that move at the same time. A move is two requests, one after the other. */
  readonly itemsAtATime: number
  /** Called after each page, before the next, and when the pass ends within a page. */
  readonly onPage: (progress: PassProgress) => void
}

/** The count was changed during a pass, so the pass proves nothing. */
export class PassOvertaken extends Error {
  override readonly name = 'IsothermPassOvertaken'
}

/** The number of items in a page: small enough for frequent progress, large enough for a low cost per item. */
const PAGE_ITEMS = 100

/**
 * Reads the source shards once, and moves the items that do not belong there. It can be interrupted anywhere and started
 * again, because moved items are no longer in the source shards.
 *
 * @throws PassOvertaken; IsothermError `move.no-room`, after the other items have moved if one is too large, and at once if a shard is full
 */
export async function drainPass(
  table: MovingTable,
  key: LogicalKey,
  { sender, currentView, confirmed, sources, discards, itemsAtATime, onPage }: DrainPassOptions,
): Promise<PassProgress> {
  let progress: PassProgress = { scanned: 0, moved: 0, twoCopies: 0, shard: 0, shards: sources.length }
  let tooLarge: Error | undefined
  for (const shard of sources) {
    // A long key has no items in shards without room for it.
    if (!table.suffix.hasRoom(key, shard)) continue
    let after: StoredItem | undefined
    do {
      await currentView()
      const page = await pageOf(table, sender, key, shard, after)
      // An item that was appended since the key has grown again stays: a process whose response was lost puts it there once more.
      if (page.Items?.length) await confirmed()
      // A driver that claims its change again waits, and nothing of an earlier pass may move meanwhile.
      const moving = concurrentlyToTheEnd(page.Items ?? [], itemsAtATime, async (item) => {
        const outcome = await moveItem(table, sender, {
          key: itemKeyOf(table, key, item),
          source: shard,
          isMarked: item[MOVE_ATTRIBUTES.moving] !== undefined,
          currentView,
          discards,
        }).catch((error: unknown) => {
          // If a shard is full, most of the other items would be refused too.
          if (!isNoRoom(error) || error.details.reason === 'shard') throw error
          tooLarge = error
          return 'stays' as const
        })
        progress = {
          ...progress,
          shard,
          scanned: progress.scanned + 1,
          moved: progress.moved + (outcome === 'moved' ? 1 : 0),
          twoCopies: progress.twoCopies + (outcome === 'two-copies' ? 1 : 0),
        }
      })
      // A pass that ends within a page reports the items of the page that have moved.
      await moving.finally(() => onPage({ ...progress, shard }))
      after = page.LastEvaluatedKey
    } while (after !== undefined)
  }
  if (tooLarge !== undefined) throw tooLarge
  return progress
}

async function pageOf(
  table: MovingTable,
  sender: MoveSender,
  key: LogicalKey,
  shard: number,
  after: StoredItem | undefined,
): Promise<QueryCommandOutput> {
  const { name, partitionKey, sortKey } = table.options
  const names: Record<string, string> = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  if (sortKey !== undefined) names['#sort'] = sortKey
  const partition = physicalItemKey(table, { logical: key, sort: undefined }, shard)[partitionKey]
  if (partition === undefined) throw new Error('A physical key has no partition key.')
  return sender.queryPage({
    TableName: name,
    KeyConditionExpression: '#key = :key',
    ProjectionExpression: Object.keys(names).join(', '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':key': partition },
    ConsistentRead: true,
    Limit: PAGE_ITEMS,
    ExclusiveStartKey: after,
  })
}

function itemKeyOf({ options: { sortKey } }: MovingTable, logical: LogicalKey, item: StoredItem): ItemKey {
  if (sortKey === undefined) return { logical, sort: undefined }
  const value = item[sortKey] as Value | undefined
  if (value === undefined || !isKeyValue(value)) throw new Error('A stored item has no sort key.')
  return { logical, sort: canonicalKeyValue(value) }
}
