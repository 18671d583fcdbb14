import { type Item, MAX_PAGE_BYTES, type ReadConsistency, selectItem } from '@isotherm/semantics'
import { Throttled } from '../capacity/throttled.js'
import { ServiceError } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { StoredItem } from '../storage/ordered-map.js'
import type { Awaitable } from '../storage/storage.js'
import { filteredItems } from '../table/filtered-items.js'
import type { Page, PageRequest } from '../table/page.js'
import { pageInSteps } from '../table/page-in-steps.js'
import { invalidToken } from '../validation/checked-token.js'
import { rangeFrom } from '../validation/start-key.js'
import { decodePosition, encodePosition } from './read-position.js'
import type { SelectPlan } from './select-plan.js'

/** How much to read, and where to begin. */
export interface SelectPage {
  readonly limit?: number | undefined
  readonly nextToken?: string | undefined
  readonly consistency: ReadConsistency
  /** Called when reading goes on in another turn of the event loop; throws if it must not. */
  readonly checkCurrent: () => void
}

/** The items of a page, and the position of the next one. */
export interface SelectResult {
  readonly items: Awaitable<readonly Item[]>
  /** Units consumed on the table or index that was read. */
  readonly units: number
  /** Units consumed on the table for whole items behind the entries of a local index. */
  readonly fetchedUnits: number
  readonly nextToken?: string
  readonly lastKey?: Item
}

/**
 * Reads a page of a plan, in steps: its ranges in order, until the limit or 1 MB is reached.
 * @throws Throttled when the first range cannot be read; ServiceError for an invalid token.
 */
export function* runSelect(
  plan: SelectPlan,
  { limit, nextToken, consistency, checkCurrent }: SelectPage,
): Generator<undefined, SelectResult, undefined> {
  const place = { table: plan.table.name, index: plan.index?.definition.name }
  const start = nextToken === undefined ? { range: 0 } : decodePosition(nextToken, place, plan.ranges.length)
  const found: StoredItem[] = []
  let bytes = 0
  let units = 0
  let fetchedUnits = 0
  const result = (range: number, key: Item | undefined): SelectResult => ({
    items: keptOf(plan, found),
    units,
    fetchedUnits,
    nextToken: encodePosition(place, range, key),
    ...(key === undefined ? {} : { lastKey: key }),
  })
  for (let range = start.range; range < plan.ranges.length; range++) {
    const key = range === start.range ? start.key : undefined
    const page = yield* readRange(plan, range, key, {
      limit: limit === undefined ? undefined : limit - found.length,
      readBytes: bytes,
      consistency,
      isFirst: range === start.range,
      checkCurrent,
    })
    if (page === 'throttled') return result(range, undefined)
    for (const stored of page.items) found.push(stored)
    bytes = page.readBytes
    units += page.units
    fetchedUnits += page.fetchedUnits
    if (page.last !== undefined) return result(range, (plan.index ?? plan.table).keyOf(page.last.stored.item))
    const isFull = found.length === limit || bytes >= MAX_PAGE_BYTES
    if (isFull && range + 1 < plan.ranges.length) return result(range + 1, undefined)
  }
  return { items: keptOf(plan, found), units, fetchedUnits }
}

function* readRange(
  plan: SelectPlan,
  position: number,
  key: unknown,
  page: {
    readonly limit: number | undefined
    readonly readBytes: number
    readonly consistency: ReadConsistency
    readonly isFirst: boolean
    readonly checkCurrent: () => void
  },
): Generator<undefined, Page | 'throttled', undefined> {
  const whole = plan.ranges[position]
  if (whole === undefined) throw new TypeError('A position lies in one of the ranges of its plan.')
  try {
    const request: PageRequest = {
      index: plan.index?.definition.name,
      range: startingAt(plan, whole, key),
      reverse: plan.reverse,
      limit: page.limit,
      readBytes: page.readBytes,
      consistency: page.consistency,
      wholeItems: plan.wholeItems,
      access: plan.access,
    }
    return yield* pageInSteps(plan.table, request, page.checkCurrent)
  } catch (error) {
    // Earlier ranges have been paid for, so their items are returned. The next page begins where capacity ended.
    if (error instanceof Throttled && !page.isFirst) return 'throttled'
    throw error
  }
}

function startingAt(
  { table, index, reverse }: SelectPlan,
  whole: SelectPlan['ranges'][number],
  key: unknown,
) {
  if (key === undefined) return whole
  try {
    const elsewhere = 'The key lies elsewhere'
    return rangeFrom(key, table, index, whole, reverse, { misfit: elsewhere, outside: () => elsewhere })
  } catch (error) {
    throw error instanceof ServiceError ? invalidToken() : error
  }
}

function keptOf({ filter, columns }: SelectPlan, found: readonly StoredItem[]): Awaitable<Item[]> {
  return afterwards(filteredItems(found, filter), (kept) =>
    kept.map(({ item }) => (columns === undefined ? item : selectItem(columns, item))),
  )
}
