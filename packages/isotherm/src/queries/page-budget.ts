import { MAX_PAGE_BYTES, READ_UNIT_BYTES } from '@isotherm/semantics'
import type { MeanItemBytes } from './mean-item-bytes.js'
import type { QueryPlan } from './query-plan.js'
import type { SubPage } from './shard-stream.js'

/**
 * A page with a filter reads its shards, and then those that are behind the others. Ending it after the first round would
 * discard most of what was read.
 */
const FILTERED_ROUNDS = 2

/**
 * The second round may evaluate this many times what a unit of every shard pays for, and this many times what is expected
 * to fill the page.
 */
const CATCH_UP_FACTOR = 2

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
  #shards = 1
  #rounds = 0
  #items = 0
  #bytes = 0
  #scanned = 0
  #passed = 0
  #evaluatedBytes = 0

  constructor(plan: QueryPlan, mean: MeanItemBytes) {
    this.#plan = plan
    this.#mean = mean
  }

  /** Begins to read the page from this many shards. */
  begin(shards: number): void {
    this.#shards = shards
    this.#rounds = 0
  }

  /** Counts a round of reads with a filter. */
  countRound(): void {
    this.#rounds += 1
  }

  /** The number of items in the page so far. */
  get items(): number {
    return this.#items
  }

  /** Counts the result of a request. */
  read({ scanned, passed, evaluatedBytes }: SubPage): void {
    this.#scanned += scanned
    this.#passed += passed
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
    if (this.#shards === 1) return true
    return this.#plan.filtered && this.#rounds >= FILTERED_ROUNDS
  }

  /** The number of items to request from a shard of which nothing is known except its previous limit, or 0 at first. */
  share(lastAsked: number): number | undefined {
    const { limit, filtered } = this.#plan
    if (this.#shards === 1) return limit
    const remaining = this.remainingItems
    const fair = remaining / this.#shards
    if (lastAsked > 0) return bounded(2 * lastAsked, remaining)
    // At first, the size of items is unknown. If they are small, more of them cost no more units. So one standard
    // deviation above the fair share costs little, and usually avoids a second round.
    if (limit !== undefined && !this.#mean.isKnown)
      return bounded(Math.ceil(fair + Math.sqrt(fair)), remaining)
    // As many as whole units pay for, even if that exceeds the limit: fewer items would cost as much.
    if (filtered && limit !== undefined) return this.#paidItems(fair)
    return bounded(this.#nearestUnits(fair * FIRST_SHARE), remaining)
  }

  /**
   * The numbers of items to request from the shards that are behind the others, beginning with the one that is furthest
   * behind: it has the most items in the range of the page. If one shard holds most items, it gets far in a page.
   */
  catchUpShares(behind: number): readonly number[] {
    const parts = Array.from({ length: behind }, (_, index) => 1 / (index + 1))
    const whole = parts.reduce((sum, part) => sum + part, 0)
    const items = this.#catchUpItems / whole
    return parts.map((part) => Math.max(2 * this.#unitItems, Math.ceil(items * part)))
  }

  /** The number of items to request from a shard that is expected to have this many more for the page. */
  shareOf(expected: number): number {
    return bounded(this.#paidItems(expected * NEXT_SHARE), this.remainingItems)
  }

  /** The number of items that still fit into the page, as far as their size is known. */
  get remainingItems(): number {
    const { limit = Number.POSITIVE_INFINITY, filtered } = this.#plan
    const byCount = limit - (filtered ? this.#scanned : this.#items)
    const byBytes = (MAX_PAGE_BYTES - (filtered ? this.#evaluatedBytes : this.#bytes)) / this.#mean.bytes
    return Math.max(1, Math.min(byCount, byBytes))
  }

  /** The number of items that the page may still evaluate to bring the shards that are behind to the others. */
  get #catchUpItems(): number {
    const { limit = Number.POSITIVE_INFINITY } = this.#plan
    const most = Math.max(CATCH_UP_FACTOR * this.#shards * this.#unitItems, this.remainingItems)
    const passing = (this.#passed + 1) / (this.#scanned + 1)
    return Math.min(most, (CATCH_UP_FACTOR * (limit - this.#items)) / passing)
  }

  /** The number of items that one unit pays for. */
  get #unitItems(): number {
    return this.#paidItems(1)
  }

  /** At least this many items, and as many as the same units pay for. */
  #paidItems(items: number): number {
    const perUnit = READ_UNIT_BYTES / this.#mean.bytes
    const units = Math.max(1, Math.ceil(items / perUnit))
    return Math.max(Math.ceil(items), Math.floor(units * perUnit))
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
