import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { isKeyValue, type AttributeValue as Value } from '@isotherm/semantics'
import type { MoveSender } from '../../attempts/move-sender.js'
import { pagesOf } from '../../attempts/pages-of.js'
import { concurrently, concurrentlyToTheEnd } from '../../bounded/concurrently.js'
import { canonicalKeyValue } from '../../keys/item-key.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import {
  isListed,
  isNoRoom,
  type LeavingItem,
  MOVE_ATTRIBUTES,
  type MovingTable,
  mayMoveItems,
  moveItem,
  type ShardState,
  type ShardView,
  type StoredItem,
} from '../../protocol/index.js'
import { PassOvertaken } from '../drain-pass.js'
import type { MigratedTable } from './migrated-table.js'

/** The progress of a pass over a table. */
export interface InitialPassProgress {
  /** The number of items read. */
  readonly scanned: number
  readonly moved: number
  /** The number of items left where they were because their target shard has another item with the same key. */
  readonly twoCopies: number
}

/** The physical key of the last item of a page. */
type PassPosition = Readonly<Record<string, AttributeValue>>

export interface InitialPassOptions {
  readonly sender: MoveSender
  /** The state that this process has written last. If the card has a later one, another process has taken over. */
  readonly written: () => ShardState
  readonly position: PassPosition | undefined
  readonly discards: boolean
  readonly signal: AbortSignal
  /**
   * Called after each page.
   * @param position where a process that resumes the migration continues: before the first item that was left
   */
  readonly onPage: (progress: InitialPassProgress, position: PassPosition | undefined) => Promise<void>
}

/** More move at the same time than in the pass of one key, because they are spread over the partitions of the table. */
const ITEMS_AT_A_TIME = 16

/** The key has got a count of its own. Whoever changes that moves its items. */
class HasOwnCount extends Error {}

/**
 * Reads the table once, and moves the items of keys without a count of their own that are at a place which items leave. No item
 * comes to such a place any more, so the pass can be resumed at the last position.
 *
 * @throws PassOvertaken; IsothermError `move.no-room`, after the other items have moved
 */
export async function initialPass(
  at: MigratedTable,
  { sender, written, position, discards, signal, onPage }: InitialPassOptions,
): Promise<InitialPassProgress> {
  const { table, shardMap } = at
  let progress: InitialPassProgress = { scanned: 0, moved: 0, twoCopies: 0 }
  let resumesAt = position
  let noRoom: Error | undefined
  /** Keys of which a shard is full: each further item would cost a mark. */
  const full = new Set<string>()
  const currentView = async (key: LogicalKey): Promise<ShardView> => {
    signal.throwIfAborted()
    const view = await shardMap.forWrite(key)
    if (await shardMap.hasOwnCount(key)) throw new HasOwnCount()
    if (!mayMoveItems(view, written())) throw new PassOvertaken()
    return view
  }
  const input = {
    TableName: table.options.name,
    ...keysOnly(table),
    ConsistentRead: true,
    ExclusiveStartKey: position,
  }
  for await (const { Items = [], LastEvaluatedKey } of pagesOf(sender, signal, input)) {
    progress = { ...progress, scanned: progress.scanned + Items.length }
    const places = Items.map((item) => placeOf(table, item)).filter((place) => place !== undefined)
    if (table.placementKind === 'random') await rereadGrown(at, places, written(), signal)
    await concurrentlyToTheEnd(places, ITEMS_AT_A_TIME, async (place) => {
      if (full.has(keyText(place.key.logical))) return
      const outcome = await moveItem(table, sender, {
        ...place,
        currentView: () => currentView(place.key.logical),
        discards,
      }).catch((error: unknown) => {
        if (error instanceof HasOwnCount) return 'stays' as const
        if (!isNoRoom(error)) throw error
        if (error.details.reason === 'shard') full.add(keyText(place.key.logical))
        noRoom ??= error
        return 'stays' as const
      })
      progress = {
        ...progress,
        moved: progress.moved + (outcome === 'moved' ? 1 : 0),
        twoCopies: progress.twoCopies + (outcome === 'two-copies' ? 1 : 0),
      }
    })
    if (noRoom === undefined && progress.twoCopies === 0) resumesAt = LastEvaluatedKey
    await onPage(progress, resumesAt)
  }
  if (noRoom !== undefined) throw noRoom
  return progress
}

/**
 * Reads the items of keys again that may have grown before the page was read. An item that was appended since then stays: a process
 * whose response was lost puts it there once more. A key is listed before it grows, so the card says which keys to read.
 */
async function rereadGrown(
  { cards, shardMap, like }: MigratedTable,
  places: readonly Place[],
  { shards }: ShardState,
  signal: AbortSignal,
): Promise<void> {
  const leaving = places.filter(({ source }) => source > shards).map(({ key: { logical } }) => logical)
  if (leaving.length === 0) return
  const card = await cards.readNow(like)
  const listed = new Map(leaving.filter((key) => isListed(card, key)).map((key) => [keyText(key), key]))
  await concurrently([...listed.values()], ITEMS_AT_A_TIME, async (key) => {
    signal.throwIfAborted()
    await shardMap.reread(key)
  })
}

function keysOnly({ options: { partitionKey, sortKey } }: MovingTable) {
  const names: Record<string, string> = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  if (sortKey !== undefined) names['#sort'] = sortKey
  return { ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names }
}

type Place = Pick<LeavingItem, 'key' | 'source' | 'isMarked'>

/** @returns `undefined` for an item that is no shard of a logical key */
function placeOf(
  { options: { partitionKey, sortKey }, suffix }: MovingTable,
  item: StoredItem,
): Place | undefined {
  const physical = item[partitionKey]
  if (physical?.S === undefined && physical?.B === undefined) return undefined
  const stripped = suffix.strip(physical as SuffixableKey)
  if (stripped === undefined) return undefined
  const { logical, shard } = stripped
  const sort = sortKey === undefined ? undefined : (item[sortKey] as Value | undefined)
  if (sortKey !== undefined && (sort === undefined || !isKeyValue(sort))) return undefined
  return {
    key: { logical, sort: sort === undefined || !isKeyValue(sort) ? undefined : canonicalKeyValue(sort) },
    source: shard,
    isMarked: item[MOVE_ATTRIBUTES.moving] !== undefined,
  }
}
