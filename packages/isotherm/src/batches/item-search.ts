import type { ItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { placementIn } from '../placement/placement-in.js'
import type { ShardView } from '../shard-map/shard-view.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { itemName } from './item-name.js'
import { KeyViews } from './key-views.js'
import { type Key, type PlacedRead, type ReadSource, type ReadTogether, readMany } from './read-many.js'

/** One item to be found, wherever it is. */
export interface SearchTarget {
  readonly table: TableRuntime
  readonly itemKey: ItemKey
  /** The key as it was given. */
  readonly given: Key
  /** Where the places are asked; under the second where only a consistent answer counts. */
  readonly sources: SearchSources
}

/** A table as it is asked for items, in the consistency that was asked for and consistently. */
export interface SearchSources {
  readonly asked: CollectingSource
  readonly consistent: CollectingSource
}

/** A copy of an item, where it was found. */
export interface FoundCopy {
  readonly shard: number
  readonly item: Key
}

/** `unprocessed`: the service did not look everywhere, and where it looked it was not. */
export type SearchOutcome = { readonly view: ShardView } & (
  | { readonly kind: 'found'; readonly copies: readonly FoundCopy[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unprocessed' }
)

/** A source that keeps what is found. */
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

/** An answer that comes too late for its view is asked for again; more often than this it is a broken clock. */
const MAX_LATE_ANSWERS = 3

/** A target on its way, with what its view of the shard map says. */
interface Search {
  readonly target: SearchTarget
  readonly view: ShardView
  readonly stages: readonly (readonly number[])[]
}

/**
 * Looks for each item in all of its places.
 *
 * Where items may be on their way, what they leave is asked before what they go to, and both consistently: an item that is not in
 * the one at a moment and not in the other at a later one did not exist at some moment between.
 *
 * @param others reads that go along in the first requests
 * @returns what came of each target, and what of the others was left out
 */
export async function searchItems(
  targets: readonly SearchTarget[],
  readView: (table: TableRuntime, key: LogicalKey) => ShardView | Promise<ShardView>,
  together: ReadTogether,
  others: readonly PlacedRead[] = [],
): Promise<{ readonly outcomes: readonly SearchOutcome[]; readonly left: readonly PlacedRead[] }> {
  const outcomes = new Map<SearchTarget, SearchOutcome>()
  let left: readonly PlacedRead[] = []
  let remaining = targets
  for (let late = 0; late === 0 || remaining.length > 0; late++) {
    if (late > MAX_LATE_ANSWERS)
      throw new Error('Every answer came too late for the shard map that it was asked under.')
    const views = new KeyViews(readView)
    const begin = async (target: SearchTarget) =>
      begun(target, await views.of(target.table, target.itemKey.logical))
    const searches = await Promise.all(remaining.map(begin))
    const isFirst = late === 0
    const leftOut = await searchOnce(searches, outcomes, together, isFirst ? others : [])
    if (isFirst) left = leftOut
    remaining = searches.filter(isTooLate(outcomes)).map(({ target }) => target)
  }
  return { outcomes: targets.flatMap((target) => outcomes.get(target) ?? []), left }
}

function begun(target: SearchTarget, view: ShardView): Search {
  const { placementKind } = target.table
  const candidates = placementIn(target.table).candidates(view, target.itemKey)
  const isLeft = (shard: number) =>
    placementKind === 'random' ? shard > view.shards : shard === candidates[0] && candidates.length > 1
  const stages = [candidates.filter(isLeft), candidates.filter((shard) => !isLeft(shard))]
  return { target, view, stages: stages.filter((shards) => shards.length > 0) }
}

async function searchOnce(
  searches: readonly Search[],
  outcomes: Map<SearchTarget, SearchOutcome>,
  together: ReadTogether,
  others: readonly PlacedRead[],
): Promise<readonly PlacedRead[]> {
  const leftOut: PlacedRead[] = []
  const stages = Math.max(1, ...searches.map((search) => search.stages.length))
  for (let stage = 0; stage < stages; stage++) {
    const open = searches.filter(({ target }) => stage === 0 || outcomes.get(target)?.kind === 'missing')
    const places = open.map((search) => placesOf(search, stage))
    const reads = [...(stage === 0 ? others : []), ...places.flat()]
    const left = new Set((await readMany(reads, together)).map(nameOfRead))
    if (stage === 0) leftOut.push(...others.filter((read) => left.has(nameOfRead(read))))
    for (const [index, { target, view }] of open.entries()) {
      outcomes.set(target, { view, ...outcomeOf(places[index] ?? [], left) })
    }
  }
  return leftOut
}

interface PlaceRead extends PlacedRead {
  readonly source: CollectingSource
  readonly shard: number
}

function placesOf({ target, stages }: Search, stage: number): readonly PlaceRead[] {
  const { table, itemKey, given, sources } = target
  const source = stages.length > 1 ? sources.consistent : sources.asked
  const { partitionKey } = table.options
  return (stages[stage] ?? []).map((shard) => ({
    source,
    shard,
    key: { ...given, [partitionKey]: { ...table.suffix.add(itemKey.logical, shard) } },
  }))
}

function outcomeOf(places: readonly PlaceRead[], left: ReadonlySet<string>) {
  const copies = places.flatMap(({ source, shard, key }) => {
    const item = source.itemAt(key)
    return item === undefined ? [] : [{ shard, item }]
  })
  if (copies.length > 0) return { kind: 'found', copies: copies.sort((a, b) => a.shard - b.shard) } as const
  return places.some((place) => left.has(nameOfRead(place)))
    ? ({ kind: 'unprocessed' } as const)
    : ({ kind: 'missing' } as const)
}

function nameOfRead({ source, key }: PlacedRead): string {
  return JSON.stringify([source.tableName, itemName(Object.keys(key).sort(), key)])
}

/** A request under the view may be carried out until `lateRequests` after it; "nothing there" later than that proves nothing. */
function isTooLate(outcomes: ReadonlyMap<SearchTarget, SearchOutcome>) {
  return ({ target, view }: Search): boolean => {
    const { clock, options } = target.table
    const isLate = clock.now() >= view.validUntil + options.lateRequestMilliseconds
    return isLate && outcomes.get(target)?.kind === 'missing'
  }
}
