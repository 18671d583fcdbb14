import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { isKeyValue, type AttributeValue as Value } from '@isotherm/semantics'
import type { MoveSender } from '../../attempts/move-sender.js'
import { pagesOf } from '../../attempts/pages-of.js'
import { concurrently } from '../../bounded/concurrently.js'
import { canonicalKeyValue } from '../../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../../keys/key.js'
import {
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
 * @throws PassOvertaken
 */
export async function initialPass(
  at: MigratedTable,
  { sender, written, position, discards, signal, onPage }: InitialPassOptions,
): Promise<InitialPassProgress> {
  const { table, shardMap } = at
  let progress: InitialPassProgress = { scanned: 0, moved: 0, twoCopies: 0 }
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
    await concurrently(Items, ITEMS_AT_A_TIME, async (item) => {
      progress = { ...progress, scanned: progress.scanned + 1 }
      const place = placeOf(table, item)
      if (place === undefined) return
      const outcome = await moveItem(table, sender, {
        ...place,
        currentView: () => currentView(place.key.logical),
        discards,
      }).catch((error: unknown) => {
        if (error instanceof HasOwnCount) return 'stays' as const
        throw error
      })
      progress = {
        ...progress,
        moved: progress.moved + (outcome === 'moved' ? 1 : 0),
        twoCopies: progress.twoCopies + (outcome === 'two-copies' ? 1 : 0),
      }
    })
    await onPage(progress, LastEvaluatedKey)
  }
  return progress
}

function keysOnly({ options: { partitionKey, sortKey } }: MovingTable) {
  const names: Record<string, string> = { '#key': partitionKey, '#moving': MOVE_ATTRIBUTES.moving }
  if (sortKey !== undefined) names['#sort'] = sortKey
  return { ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names }
}

/** @returns `undefined` for an item that is no shard of a logical key */
function placeOf({ options: { partitionKey, sortKey }, suffix }: MovingTable, item: StoredItem) {
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
