import { MAX_PAGE_BYTES, READ_UNIT_BYTES } from '@isotherm/semantics'
import type { MeanItemBytes } from './mean-item-bytes.js'
import type { QueryPlan } from './query-plan.js'

/** A page with a filter may read twice what it evaluates, to make progress in the shard that is furthest behind. */
const FILTERED_READ_FACTOR = 2

/**
 * The part of its fair share that is first requested from a shard. It is below 1, because items read beyond the end of
 * the page are wasted, and after the first responses the missing number is known much better.
 */
const FIRST_SHARE = 0.7

/**
 * The part of its expected items that is then requested from a shard. Both were measured by `npm run amplification`.
 */
const NEXT_SHARE = 0.8

/**
 * Limits the size of a page and the amount that is read for it.
 *
 * A page has the same size as without shards: `Limit` items, and at most 1 MB. So not every shard reads a whole page to
 * contribute a part of it, and a page does not take as many rounds as there are shards when one shard holds all items.
 */
export class PageBudget {
  readonly #plan: QueryPlan
  readonly #mean: MeanItemBytes
  /** The number of shards that the page is read from. */
  shards = 1
  #items = 0
  #bytes = 0
  #scanned = 0
  #evaluatedBytes = 0

  constructor(plan: QueryPlan, mean: MeanItemBytes) {
    this.#plan = plan
    this.#mean = mean
  }

  /** The number of items in the page so far. */
  get items(): number {
    return this.#items
  }

  /** Counts the result of a request. */
  read(scanned: number, evaluatedBytes: number): void {
    this.#scanned += scanned
    this.#evaluatedBytes += evaluatedBytes
    this.#mean.observe(evaluatedBytes, scanned)
  }

  /** Counts an item of the page. @returns whether the page is full */
  take(bytes: number): boolean {
    this.#items += 1
    this.#bytes += bytes === 0 ? this.#mean.bytes : bytes
    return this.#items === this.#plan.limit || this.#bytes >= MAX_PAGE_BYTES
  }

  /** Whether the page must end now, full or not. */
  get isSpent(): boolean {
    // The response of a single shard is a complete page.
    if (this.shards === 1) return true
    if (!this.#plan.filtered) return false
    if (this.#plan.limit !== undefined && this.#scanned >= this.#plan.limit) return true
    return this.#evaluatedBytes >= FILTERED_READ_FACTOR * MAX_PAGE_BYTES
  }

  /** The number of items to request from a shard of which nothing is known except its previous limit, or 0 at first. */
  share(lastAsked: number): number | undefined {
    const { limit, filtered } = this.#plan
    if (this.shards === 1) return limit
    const remaining = this.remainingItems
    const fair = remaining / this.shards
    // The shares of a filtered page with a limit must not exceed the limit in total.
    if (filtered && limit !== undefined) return Math.max(1, Math.floor(fair))
    if (lastAsked > 0) return bounded(2 * lastAsked, remaining)
    // At first, the size of items is unknown. If they are small, more of them cost no more units. So one standard
    // deviation above the fair share costs little, and usually avoids a second round.
    if (limit !== undefined && !this.#mean.isKnown)
      return bounded(Math.ceil(fair + Math.sqrt(fair)), remaining)
    return bounded(this.#nearestUnits(fair * FIRST_SHARE), remaining)
  }

  /** The number of items to request from a shard that is expected to have this many more for the page. */
  shareOf(expected: number): number {
    const perUnit = READ_UNIT_BYTES / this.#mean.bytes
    const items = expected * NEXT_SHARE
    const units = Math.max(1, Math.ceil(items / perUnit))
    return bounded(Math.max(Math.ceil(items), Math.floor(units * perUnit)), this.remainingItems)
  }

  /** The number of items that still fit into the page, as far as their size is known. */
  get remainingItems(): number {
    const { limit = Number.POSITIVE_INFINITY, filtered } = this.#plan
    const byCount = limit - (filtered ? this.#scanned : this.#items)
    const byBytes = (MAX_PAGE_BYTES - (filtered ? this.#evaluatedBytes : this.#bytes)) / this.#mean.bytes
    return Math.max(1, Math.min(byCount, byBytes))
  }

  /** Approximately this many items, rounded to what whole units pay for. */
  #nearestUnits(items: number): number {
    const perUnit = READ_UNIT_BYTES / this.#mean.bytes
    return perUnit <= 1 ? Math.round(items) : Math.floor(Math.max(1, Math.round(items / perUnit)) * perUnit)
  }
}

function bounded(items: number, most: number): number {
  return Math.max(1, Math.min(items, Math.ceil(most)))
}
