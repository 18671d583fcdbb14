import { type Item, itemBytes, readUnits } from '@isotherm/semantics'
import {
  type Key,
  type PlacedRead,
  type ReadSource,
  type ReadTogether,
  readMany,
} from '../attempts/read-many.js'
import { MAX_LATE_VIEWS, slowShardMap } from '../attempts/slow-shard-map.js'
import type { ItemKey } from '../keys/item-key.js'
import { itemName } from '../keys/item-name.js'
import type { LogicalKey } from '../keys/key.js'
import {
  type CountedTable,
  isConfirmed,
  isInTime,
  looksFor,
  possibleShards,
  type ShardView,
} from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { SensedRead } from '../scaling/sensed-read.js'
import { KeyViews } from './key-views.js'

/** One item to find in any of its possible shards. */
export interface SearchTarget {
  readonly table: CountedTable & ReadTable
  readonly itemKey: ItemKey
  /** The key as in the request. */
  readonly given: Key
  /** The sources for reads in the requested consistency, and for consistent reads. */
  readonly sources: SearchSources
  /** Whether to look in the first shard of a random key that was never hot, and to ask the shard map only if the item is not there. */
  readonly looksInFirst?: boolean
}

/** The sources of a table's items: one in the requested consistency, and one with consistent reads. */
export interface SearchSources {
  readonly asked: CollectingSource
  readonly consistent: CollectingSource
}

/** A copy of an item, and its shard. */
interface FoundCopy {
  readonly shard: number
  readonly item: Key
}

/** The result of searching one item. */
export interface SearchOutcome {
  readonly view: ShardView
  /** In the order of the possible shards. The last one is the item. */
  readonly copies: readonly FoundCopy[]
  /** Whether the service left some of the reads unprocessed. */
  readonly isPartial: boolean
}

/** A source that collects the items it reads. */
export class CollectingSource implements ReadSource {
  readonly tableName: string
  readonly parameters: ReadSource['parameters']
  readonly #keys: readonly string[]
  readonly #items = new Map<string, Key>()

  constructor(tableName: string, parameters: ReadSource['parameters'], keys: readonly string[]) {
    this.tableName = tableName
    this.parameters = parameters
    this.#keys = keys
  }

  found(item: Key): void {
    this.#items.set(itemName(this.#keys, item), item)
  }

  itemAt(key: Key): Key | undefined {
    return this.#items.get(itemName(this.#keys, key))
  }
}

/** A target with its current view of the shard map. */
interface Search {
  readonly target: SearchTarget
  readonly view: ShardView
  readonly looks: readonly (readonly number[])[]
  /** Whether the view is one by which a missing item proves nothing. */
  readonly isUnsure: boolean
}

/**
 * Searches each item in all of its possible shards. Where items may be in the process of being moved, the reads are
 * consistent, and are repeated when no shard has the item.
 *
 * @param others reads to add to the first requests
 * @returns the result for each target, and those of `others` that were left unprocessed
 * @throws IsothermError `shard-map.slow`
 */
export async function searchItems(
  targets: readonly SearchTarget[],
  readView: (table: CountedTable, key: LogicalKey) => ShardView | Promise<ShardView>,
  together: ReadTogether,
  others: readonly PlacedRead[] = [],
): Promise<{ readonly outcomes: readonly SearchOutcome[]; readonly left: readonly PlacedRead[] }> {
  const outcomes = new Map<SearchTarget, SearchOutcome>()
  let left: readonly PlacedRead[] = []
  let remaining = targets
  for (let late = 0; late === 0 || remaining.length > 0; late++) {
    const [target] = remaining
    if (target !== undefined && late > MAX_LATE_VIEWS) throw slowShardMap(target.table.options)
    const views = new KeyViews(readView)
    const isFirst = late === 0
    const begin = async (target: SearchTarget) => {
      const { table, itemKey, looksInFirst } = target
      const first = isFirst && looksInFirst === true ? await table.views.oneShard(itemKey.logical) : undefined
      return begun(target, first ?? (await views.of(table, itemKey.logical)), first !== undefined)
    }
    const searches = await Promise.all(remaining.map(begin))
    const leftOut = await searchOnce(searches, outcomes, together, isFirst ? others : [])
    if (isFirst) left = leftOut
    const confirmed = await Promise.all(searches.map((search) => confirmedBy(search, outcomes, views)))
    remaining = confirmed.filter(isTooLate(outcomes)).map(({ target }) => target)
  }
  return { outcomes: targets.flatMap((target) => outcomes.get(target) ?? []), left }
}

function begun(target: SearchTarget, view: ShardView, isUnsure: boolean): Search {
  const places = possibleShards(target.table, view, target.itemKey)
  return { target, view, looks: looksFor(view, places), isUnsure }
}

/** Asks the shard map whether an item that is not in the first shard could be in another one. If it could, the search has no result. */
async function confirmedBy(
  search: Search,
  outcomes: Map<SearchTarget, SearchOutcome>,
  views: KeyViews,
): Promise<Search> {
  const { target, view, isUnsure } = search
  if (!isUnsure || !isMissing(outcomes.get(target))) return search
  const known = await views.of(target.table, target.itemKey.logical)
  return isConfirmed(view, known, target.table) ? { ...search, view: known, isUnsure: false } : search
}

async function searchOnce(
  searches: readonly Search[],
  outcomes: Map<SearchTarget, SearchOutcome>,
  together: ReadTogether,
  others: readonly PlacedRead[],
): Promise<readonly PlacedRead[]> {
  const leftOut: PlacedRead[] = []
  // mark: batch-seeks-again
  const looks = Math.max(1, ...searches.map((search) => search.looks.length))
  for (let look = 0; look < looks; look++) {
    // mark: batch-seeks-missing-items-only
    const open = searches.filter(({ target }) => look === 0 || isMissing(outcomes.get(target)))
    const places = open.map((search) => placesOf(search, look))
    const reads = [...(look === 0 ? others : []), ...places.flat()]
    const left = new Set((await readMany(reads, together)).map(nameOfRead))
    if (look === 0) leftOut.push(...others.filter((read) => left.has(nameOfRead(read))))
    for (const [index, { target, view }] of open.entries()) {
      const outcome = outcomeOf(view, places[index] ?? [], left)
      outcomes.set(target, outcome)
      record(places[index] ?? [], outcome, left)
    }
  }
  return leftOut
}

interface PlaceRead extends PlacedRead {
  readonly source: CollectingSource
  readonly sensed: SensedRead
  readonly shard: number
}

function placesOf({ target, looks }: Search, look: number): readonly PlaceRead[] {
  const { table, itemKey, given, sources } = target
  const source = looks.length > 1 ? sources.consistent : sources.asked
  const { partitionKey } = table.options
  const places = looks[look] ?? []
  const isSpread = table.placementKind === 'calculated' && places.length === 1
  const spread = isSpread ? ({ by: 'item', item: itemKey.sort } as const) : undefined
  const sensed = new SensedRead(table.readHeat, itemKey.logical, places[0] ?? 1, spread)
  return places.map((shard) => ({
    source,
    shard,
    sensed,
    key: { ...given, [partitionKey]: { ...table.suffix.add(itemKey.logical, shard) } },
  }))
}

function outcomeOf(view: ShardView, places: readonly PlaceRead[], left: ReadonlySet<string>): SearchOutcome {
  const copies = places.flatMap(({ source, shard, key }) => {
    const item = source.itemAt(key)
    return item === undefined ? [] : [{ shard, item }]
  })
  return { view, copies, isPartial: places.some((place) => left.has(nameOfRead(place))) }
}

/** Records the units of the reads of one item. A shard without the item costs as much as the smallest one. */
function record(places: readonly PlaceRead[], { copies }: SearchOutcome, left: ReadonlySet<string>): void {
  const [first] = places
  if (first === undefined) return
  const { sensed, source } = first
  const answered =
    left.size === 0 ? places.length : places.filter((place) => !left.has(nameOfRead(place))).length
  if (answered === 0) return
  const consistency = source.parameters.ConsistentRead === true ? 'strong' : 'eventual'
  let units = (answered - copies.length) * readUnits(0, consistency)
  for (const { item } of copies) units += readUnits(itemBytes(item as unknown as Item), consistency)
  sensed.answered(units, answered)
}

function isMissing(outcome: SearchOutcome | undefined): boolean {
  return outcome !== undefined && outcome.copies.length === 0 && !outcome.isPartial
}

function nameOfRead({ source, key }: PlacedRead): string {
  return JSON.stringify([source.tableName, itemName(Object.keys(key).sort(), key)])
}

/**
 * A request sent with this view may take effect until `lateRequests` after the view expires. A missing item found later
 * than that proves nothing.
 */
function isTooLate(outcomes: ReadonlyMap<SearchTarget, SearchOutcome>) {
  return ({ target, view, isUnsure }: Search): boolean =>
    (isUnsure || !isInTime(view, target.table)) && isMissing(outcomes.get(target))
}
