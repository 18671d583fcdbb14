import { readItems } from '../../read-items.js'
import type { BaseItem } from '../model/base-item.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, itemId, keyOf, searchType } from '../model/keys.js'
import { mayMatch } from '../model/listing-text.js'
import { idAt, OLDEST, type Position, positionOf } from '../model/position.js'
import { baseOf } from '../model/stored-base.js'
import { gramWindows } from '../text/grams.js'
import type { Highlight } from '../text/highlight.js'
import { GramSource } from './gram-source.js'
import { PostingSource } from './posting-source.js'
import { prefixSource } from './prefix-source.js'
import { matchesOf, type QueryForm, type SearchQuery } from './search-query.js'
import { commonBound, readyCandidates, type Source } from './source.js'

/** An item that was found, with the places where it matches. */
interface Found {
  readonly item: BaseItem
  readonly position: Position
  readonly highlights: Readonly<Record<string, readonly Highlight[]>>
}

export interface FoundPage {
  readonly found: readonly Found[]
  /** Where the next page begins. `OLDEST` if there is none. */
  readonly next: Position
}

/** Requests that follow each other, those that read items included. It bounds the time and the units of a page. */
const MAX_STEPS = { prefix: 3, substring: 4 } as const
/** Items that a BatchGetItem request takes. */
const MAX_READ = 100
/** Candidates beyond those, for some that do not match. */
const SLACK = 8
/** Entries of the listing that a step reads for a query that is too short for grams. */
const LISTED: readonly [number, number] = [500, 500]

/** Reads a page of matches, newest first. The page may be shorter than its limit although there are more. */
export async function findPage(
  target: DirectoryTarget,
  tenant: string,
  query: SearchQuery,
  before: Position,
  limit: number,
): Promise<FoundPage> {
  const sources = query.forms.map((form) => sourceOf(target, tenant, query, form, before, limit))
  const found: Found[] = []
  const maxSteps = MAX_STEPS[query.match]
  let compared = 0
  let from = before
  for (let step = 0; step < maxSteps && found.length < limit; step++) {
    const bound = commonBound(sources)
    const ready = readyCandidates(sources, from)
    const isEnd = bound === OLDEST
    const isLastStep = step === maxSteps - 1
    if (ready.length === 0 && isEnd) return { found, next: OLDEST }
    if (ready.length < limit - found.length && !isEnd && !isLastStep) {
      // Those that are behind. The others would only read what a later page needs.
      await Promise.all(
        sources.filter((source) => source.coveredTo === bound).map((source) => source.advance()),
      )
      continue
    }
    const batch = ready.slice(0, likelyEnough(limit - found.length, found.length, compared))
    compared += batch.length
    found.push(...(await verified(target, tenant, query, batch)))
    from = batch.length < ready.length ? (batch.at(-1) ?? bound) : bound
    if (from === OLDEST) break
  }
  const last = found[limit - 1]
  return found.length > limit && last !== undefined
    ? { found: found.slice(0, limit), next: last.position }
    : { found, next: from }
}

/** How many candidates are read so that enough of them match, going by those that were compared before. */
function likelyEnough(wanted: number, found: number, compared: number): number {
  const share = compared === 0 ? 1 : Math.max(found, 1) / compared
  return Math.min(MAX_READ, Math.ceil(wanted / share) + SLACK)
}

function sourceOf(
  target: DirectoryTarget,
  tenant: string,
  { match }: SearchQuery,
  { text }: QueryForm,
  before: Position,
  limit: number,
): Source {
  if (match === 'prefix') return prefixSource(target, tenant, text, before, limit)
  const grams = gramWindows(text)
  if (grams.size > 0) return new GramSource(target, tenant, grams, before)
  const passes = (texts: string) => mayMatch(texts, (one) => one.includes(text))
  return new PostingSource(target, { type: searchType.listing(tenant), passes, limits: LISTED }, before)
}

/** Search items may be newer or older than their item, so the item decides. */
async function verified(
  { db, definition, patience }: DirectoryTarget,
  tenant: string,
  query: SearchQuery,
  positions: readonly Position[],
): Promise<readonly Found[]> {
  const keys = positions.map((position) => keyOf(definition.names, itemId(tenant, idAt(position)), ITEM))
  const stored = await readItems(db, patience, definition.table, keys, false)
  const items = new Map(stored.map((item) => [item[definition.names.id]?.S, baseOf(definition, item)]))
  return positions.flatMap((position) => {
    const item = items.get(itemId(tenant, idAt(position)))
    // A posting that is left from an earlier item of this id has another position.
    if (
      item === undefined ||
      item.importing !== undefined ||
      positionOf(item.createdAt, item.id) !== position
    )
      return []
    const highlights = matchesOf(definition, query, item)
    return highlights === undefined ? [] : [{ item, highlights, position }]
  })
}
