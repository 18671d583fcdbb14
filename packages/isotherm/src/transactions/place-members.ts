import type { ReadTogether } from '../attempts/read-many.js'
import {
  hasMoves,
  homeAmong,
  isPastCreations,
  MOVE_ATTRIBUTES,
  placementIn,
  possibleShards,
  type ShardView,
} from '../protocol/index.js'
import { CollectingSource, type SearchOutcome, type SearchTarget, searchItems } from '../reads/item-search.js'
import { KeyViews } from '../reads/key-views.js'
import { keyNames } from '../reads/read-sources.js'
import { PARTITION_NAME, SORT_NAME } from '../sdk/placeholders.js'
import { isCalculated } from '../writes/calculated.js'
import { viewToFind } from '../writes/view-to-find.js'
import { absenceCheck, copyDeletion, ownAction, type PlacedAction, plainAction } from './placed-action.js'
import { attributesOf, isSharded, type ShardedMember, type TransactMember } from './transact-member.js'

/** An item that is being moved, or has to be, and its shard. */
export interface MovingItem {
  readonly member: ShardedMember
  readonly shard: number
}

/** The shards of all members, or what must happen before they are known. */
export type PlacedMembers =
  | { readonly kind: 'placed'; readonly actions: readonly PlacedAction[]; readonly validUntil: number }
  | { readonly kind: 'moving'; readonly items: readonly MovingItem[] }
  /** The service left some of the reads unprocessed. */
  | { readonly kind: 'unprocessed' }

/** Finds the items of members that may be in several shards, and decides where each action goes. */
export async function placeMembers(
  members: readonly TransactMember[],
  together: ReadTogether,
): Promise<PlacedMembers> {
  const views = new KeyViews(viewToFind)
  const sharded = members.filter(isSharded)
  const known = new Map<ShardedMember, ShardView>()
  for (const member of sharded) {
    const { table, itemKey } = member
    // A put that ignores an existing item needs a shard in use, and no more.
    const view = isAppend(member) ? table.views.forWrite(itemKey.logical) : views.of(table, itemKey.logical)
    known.set(member, await view)
  }
  const sought = sharded.filter((member) => isSought(member, known.get(member)))
  const { outcomes } = await searchItems(targetsOf(sought), viewToFind, together)
  const found = new Map(sought.map((member, index) => [member, outcomes[index]]))
  if (outcomes.some(({ isPartial }) => isPartial)) return { kind: 'unprocessed' }
  const moving = sought.flatMap((member) => movingItem(member, found.get(member)))
  if (moving.length > 0) return { kind: 'moving', items: moving }
  for (const [member, outcome] of found) if (outcome !== undefined) known.set(member, outcome.view)
  return {
    kind: 'placed',
    actions: members.flatMap((member) => {
      if (!isSharded(member)) return [plainAction(member)]
      const view = known.get(member)
      return view === undefined ? [] : placed(member, view, found.get(member))
    }),
    validUntil: Math.min(...[...known.values()].map(({ validUntil }) => validUntil)),
  }
}

function isSought(member: ShardedMember, view: ShardView | undefined): boolean {
  const { table, itemKey } = member
  if (view === undefined || isAppend(member)) return false
  return possibleShards(table, view, itemKey).length > 1
}

/** Whether a put can ignore an existing item: it has no condition, and its primary key is unique by construction. */
function isAppend({ kind, action, table }: ShardedMember): boolean {
  // mark: conditional-put-is-no-append
  return table.placementKind === 'random' && kind === 'Put' && action.ConditionExpression === undefined
}

function targetsOf(sought: readonly ShardedMember[]): readonly SearchTarget[] {
  const sources = new Map<string, CollectingSource>()
  return sought.map(({ table, action, itemKey }) => {
    const { partitionKey, sortKey } = table.options
    const names = keyNames(table)
    const { TableName: tableName } = action
    const key = Object.entries(attributesOf(action)).filter(([name]) => names.includes(name))
    const source =
      sources.get(tableName) ?? new CollectingSource(tableName, whereabouts(partitionKey, sortKey), names)
    sources.set(tableName, source)
    return { table, itemKey, given: Object.fromEntries(key), sources: { asked: source, consistent: source } }
  })
}

function whereabouts(partitionKey: string, sortKey: string | undefined) {
  const names = {
    [PARTITION_NAME]: partitionKey,
    ...(sortKey === undefined ? {} : { [SORT_NAME]: sortKey }),
  }
  return {
    ConsistentRead: true,
    ProjectionExpression: [...Object.keys(names), MOVE_ATTRIBUTES.moving, MOVE_ATTRIBUTES.moved].join(', '),
    ExpressionAttributeNames: names,
  }
}

function movingItem(member: ShardedMember, outcome: SearchOutcome | undefined): readonly MovingItem[] {
  const copy = outcome?.copies.at(-1)
  if (outcome === undefined || copy === undefined || member.kind === 'ConditionCheck') return []
  const isMarked = Object.hasOwn(copy.item, MOVE_ATTRIBUTES.moving)
  const moves = isMarked || movesFirst(member, outcome.view, copy.shard)
  return moves ? [{ member, shard: copy.shard }] : []
}

/** Whether the item is at an old place that is throttled. Then it moves first, as for single writes. */
function movesFirst({ kind, table, itemKey }: ShardedMember, view: ShardView, shard: number): boolean {
  const { suffix } = table.options
  return isCalculated(suffix) && kind !== 'Delete' && suffix.isHotAt(table, view, itemKey, shard)
}

/**
 * The actions of a member.
 *
 * With a random suffix, an item that is in its home shard or does not exist is written there in both cases. So a
 * repeated transaction has the same content, and its token stays valid. But if items may still be moved out of the home
 * shard, as in a key that has grown again, the item may be gone when the transaction arrives.
 */
function placed(
  member: ShardedMember,
  view: ShardView,
  outcome: SearchOutcome | undefined,
): readonly PlacedAction[] {
  const { kind, table, itemKey } = member
  const { placementKind } = table
  const places = possibleShards(table, view, itemKey, kind === 'Put' || kind === 'Update')
  // mark: transaction-creates-at-home
  const home = homeAmong(places, placementIn(table).home(view, itemKey))
  if (outcome === undefined) return [ownAction(member, home, 'either')]
  const copy = outcome.copies.at(-1)
  if (copy !== undefined) {
    const staysHome = placementKind === 'random' && copy.shard === home && !hasMoves(view)
    const others = kind === 'Delete' && placementKind === 'random' ? outcome.copies.slice(0, -1) : []
    return [
      ownAction(member, copy.shard, staysHome ? 'either' : 'there', copy.item[MOVE_ATTRIBUTES.moved]),
      ...others.map(({ shard }) => copyDeletion(member, shard)),
    ]
  }
  if (placementKind === 'random' || isPastCreations(view)) return [ownAction(member, home, 'either')]
  const elsewhere = places.filter((shard) => shard !== home)
  return [ownAction(member, home, 'missing'), ...elsewhere.map((shard) => absenceCheck(member, shard))]
}
