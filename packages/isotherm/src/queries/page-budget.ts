import { MAX_PAGE_BYTES } from '@isotherm/semantics'
import type { MeanItemBytes } from '../table/mean-item-bytes.js'
import type { QueryPlan } from './query-plan.js'

/** A filtered page may read twice what it evaluates, to get on from the shard that is furthest behind. */
const FILTERED_READ_FACTOR = 2

/**
 * How much a page may hold and how much may be read for it.
 *
 * A page has the size that it would have without shards: `Limit` items, and at most 1 MB. Each shard is asked for its fair
 * share and one standard deviation more, and a shard that runs dry for twice as much as before: so neither does every shard
 * read a whole page to give a part of it, nor does a page take as many rounds as shards when one of them holds all the items.
 */
export class PageBudget {
  readonly #plan: QueryPlan
  readonly #mean: MeanItemBytes
  readonly #shards: number
  #items = 0
  #bytes = 0
  #scanned = 0
  #evaluatedBytes = 0

  constructor(plan: QueryPlan, mean: MeanItemBytes, shards: number) {
    this.#plan = plan
    this.#mean = mean
    this.#shards = shards
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
    if (this.#shards === 1) return true
    if (!this.#plan.filtered) return false
    if (this.#plan.limit !== undefined && this.#scanned >= this.#plan.limit) return true
    return this.#evaluatedBytes >= FILTERED_READ_FACTOR * MAX_PAGE_BYTES
  }

  /** How many items to ask a shard for; `lastAsked` is 0 for the first time. */
  share(lastAsked: number): number | undefined {
    const { limit, filtered } = this.#plan
    if (this.#shards === 1) return limit
    const remaining = this.#remainingItems()
    const fair = remaining / this.#shards
    // The shares of a filtered page with a limit must not add up to more than the limit.
    if (filtered && limit !== undefined) return Math.max(1, Math.floor(fair))
    const asked = lastAsked === 0 ? Math.ceil(fair + Math.sqrt(fair)) : 2 * lastAsked
    return Math.max(1, Math.min(asked, Math.ceil(remaining)))
  }

  #remainingItems(): number {
    const { limit = Number.POSITIVE_INFINITY, filtered } = this.#plan
    const byCount = limit - (filtered ? this.#scanned : this.#items)
    const byBytes = (MAX_PAGE_BYTES - (filtered ? this.#evaluatedBytes : this.#bytes)) / this.#mean.bytes
    return Math.max(1, Math.min(byCount, byBytes))
  }
}
