import { physicalKey } from '../shard-map/physical-key.js'
import { compareSortKeys } from './compare-sort-keys.js'
import {
  type Call,
  type JsonItem,
  type JsonValue,
  type KeyDescription,
  keysOf,
  primaryKeyOf,
} from './item.js'
import { type FoundItem, type ItemPage, type PageStart, pageReader, type ReadPage } from './item-pages.js'
import type { ItemQuery } from './item-query.js'
import { itemRequest } from './item-request.js'
import type { LogicalKey } from './logical-key.js'

type ShardStart = Exclude<PageStart, JsonItem>[number]

/** Requests at the same time. */
const CONCURRENT = 8

const NOTHING: ItemPage = { items: [], readUnits: 0, evaluated: 0 }

/**
 * Reads the items of a logical key: a query of each shard, and their items in the order of the sort key.
 *
 * A page ends where the items of one shard are not known yet. So no item is left out, and none comes twice.
 */
export function logicalPageReader(
  call: Call,
  described: KeyDescription,
  query: ItemQuery,
  { logical, shards, rule }: LogicalKey,
): ReadPage {
  const [sortKey] = keysOf(described, '').sort
  const readers = Array.from({ length: shards }, (_, at) => {
    const partition = [physicalKey(logical, at + 1, rule)]
    return pageReader(call, itemRequest(described, '', { ...query, partition }), query.pageItems)
  })
  const direction = query.isDescending ? -1 : 1
  const isAfter = (one: JsonValue | undefined, other: JsonValue | undefined) =>
    direction * compareSortKeys(one, other) > 0
  const keyOf = (item: JsonItem) => (sortKey === undefined ? undefined : item[sortKey])
  return async (start, signal) => {
    const starts = Array.isArray(start)
      ? (start as readonly ShardStart[])
      : readers.map((): ShardStart => 'begin')
    const parts = await inTurn(
      readers.map((read, at) => () => {
        const from = starts[at] ?? 'end'
        return from === 'end' ? Promise.resolve(NOTHING) : read(from === 'begin' ? undefined : from, signal)
      }),
    )
    const known = parts.map(({ next }) => (next === undefined ? undefined : keyOf(next as JsonItem)))
    const taken = parts.map(() => 0)
    const items: FoundItem[] = []
    while (items.length < query.pageItems) {
      const at = firstOf(parts, taken, (one, other) => isAfter(keyOf(one), keyOf(other)))
      const item = at === undefined ? undefined : parts[at]?.items[taken[at] ?? 0]?.item
      if (at === undefined || item === undefined) break
      if (known.some((end) => end !== undefined && isAfter(keyOf(item), end))) break
      items.push({ item, shard: at + 1 })
      taken[at] = (taken[at] ?? 0) + 1
    }
    const nexts = parts.map(({ items: found, next }, at): ShardStart => {
      const count = taken[at] ?? 0
      if (count === found.length) return (next as JsonItem | undefined) ?? 'end'
      const last = found[count - 1]
      return last === undefined ? (starts[at] ?? 'end') : primaryKeyOf(described, last.item)
    })
    const sum = (figure: 'readUnits' | 'evaluated') => parts.reduce((all, part) => all + part[figure], 0)
    return {
      items,
      readUnits: sum('readUnits'),
      evaluated: sum('evaluated'),
      ...(nexts.every((next) => next === 'end') ? {} : { next: nexts }),
    }
  }
}

/** The part whose next item comes first. */
function firstOf(
  parts: readonly ItemPage[],
  taken: readonly number[],
  isAfter: (one: JsonItem, other: JsonItem) => boolean,
): number | undefined {
  let first: { readonly at: number; readonly item: JsonItem } | undefined
  for (const [at, { items }] of parts.entries()) {
    const item = items[taken[at] ?? 0]?.item
    if (item !== undefined && (first === undefined || isAfter(first.item, item))) first = { at, item }
  }
  return first?.at
}

async function inTurn<Of>(works: readonly (() => Promise<Of>)[]): Promise<readonly Of[]> {
  const results: Of[] = []
  for (let at = 0; at < works.length; at += CONCURRENT) {
    results.push(...(await Promise.all(works.slice(at, at + CONCURRENT).map((work) => work()))))
  }
  return results
}
