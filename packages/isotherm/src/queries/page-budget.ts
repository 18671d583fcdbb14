import { MAX_PAGE_BYTES, READ_UNIT_BYTES } from '@isotherm/semantics'
import type { MeanItemBytes } from './mean-item-bytes.js'
import type { QueryPlan } from './query-plan.js'

/** A filtered page may read twice what it evaluates, to get on from the shard that is furthest behind. */
const FILTERED_READ_FACTOR = 2

/**
 * The part of its fair share that a shard is asked for first. Less than all: what is read beyond the page's end is paid for
 * nothing, and what is missing is known much better after the first answers.
 */
const FIRST_SHARE = 0.7

/** The part of what a shard is expected to have that it is asked for then. Both measured by `npm run amplification`. */
const NEXT_SHARE = 0.8

/**
 * How much a page may hold and how much may be read for it.
 *
 * A page has the size that it would have without shards: `Limit` items, and at most 1 MB. So neither does every shard read
 * a whole page to give a part of it, nor does a page take as many rounds as shards when one of them holds all the items.
 */
export class PageBudget {
  readonly #plan: QueryPlan
  readonly #mean: MeanItemBytes
  /** How many shards the page is read from. */
  shards = 1
  #items = 0
  #bytes = 0
  #scanned = 0
  #evaluatedBytes = 0

  constructor(plan: QueryPlan, mean: MeanItemBytes) {
    this.#plan = plan
    this.#mean = mean
  }

  /** Items of the page so far. */
  get items(): number {
    return this.#items
  }

  /** Counts a piece that was read. */
  read(scanned: number, evaluatedBytes: number): void {
    this.#scanned += scanned
    this.#evaluatedBytes += evaluatedBytes
    this.#mean.observe(evaluatedBytes, scanned)
  }

  /** Counts an item of the page. @returns whether the page is full with it */
  take(bytes: number): boolean {
    this.#items += 1
    this.#bytes += bytes === 0 ? this.#mean.bytes : bytes
    return this.#items === this.#plan.limit || this.#bytes >= MAX_PAGE_BYTES
  }

  /** Whether no more may be read for this page, full or not. */
  get isSpent(): boolean {
    // A single shard's answer is a page by itself.
    if (this.shards === 1) return true
    if (!this.#plan.filtered) return false
    if (this.#plan.limit !== undefined && this.#scanned >= this.#plan.limit) return true
    return this.#evaluatedBytes >= FILTERED_READ_FACTOR * MAX_PAGE_BYTES
  }

  /** How many items to ask a shard for that nothing is known of but what it was asked for before; 0 for nothing. */
  share(lastAsked: number): number | undefined {
    const { limit, filtered } = this.#plan
    if (this.shards === 1) return limit
    const remaining = this.remainingItems
    const fair = remaining / this.shards
    // The shares of a filtered page with a limit must not add up to more than the limit.
    if (filtered && limit !== undefined) return Math.max(1, Math.floor(fair))
    if (lastAsked > 0) return bounded(2 * lastAsked, remaining)
    // Of what size items are is not known at first. Small ones are paid for with the first anyway, so one standard deviation
    // more than the fair share costs little and mostly saves the second round.
    if (limit !== undefined && !this.#mean.isKnown)
      return bounded(Math.ceil(fair + Math.sqrt(fair)), remaining)
    return bounded(this.#nearestUnits(fair * FIRST_SHARE), remaining)
  }

  /** How many items to ask a shard for that is taken to have so many more for the page. */
  shareOf(expected: number): number {
    const perUnit = READ_UNIT_BYTES / this.#mean.bytes
    const items = expected * NEXT_SHARE
    const units = Math.max(1, Math.ceil(items / perUnit))
    return bounded(Math.max(Math.ceil(items), Math.floor(units * perUnit)), this.remainingItems)
  }

  /** Items that still fit into the page, as far as is known of their size. */
  get remainingItems(): number {
    const { limit = Number.POSITIVE_INFINITY, filtered } = this.#plan
    const byCount = limit - (filtered ? this.#scanned : this.#items)
    const byBytes = (MAX_PAGE_BYTES - (filtered ? this.#evaluatedBytes : this.#bytes)) / this.#mean.bytes
    return Math.max(1, Math.min(byCount, byBytes))
  }

  /** About so many items, and as many as are paid for with them. */
  #nearestUnits(items: number): number {
    const perUnit = READ_UNIT_BYTES / this.#mean.bytes
    return perUnit <= 1 ? Math.round(items) : Math.floor(Math.max(1, Math.round(items / perUnit)) * perUnit)
  }
}

function bounded(items: number, most: number): number {
  return Math.max(1, Math.min(items, Math.ceil(most)))
}
