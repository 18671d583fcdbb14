import type { ConsumedCapacity, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { addCapacity } from '../sdk/consumed-capacity.js'
import type { Cursor } from './cursor.js'
import type { PlacedItem } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { Frontier, SubPage } from './shard-stream.js'

/** A page in the merged order, while it is put together. */
export class GatheredPage {
  readonly #plan: QueryPlan
  readonly #items: PlacedItem[] = []
  #attempts = 0
  #capacity: ConsumedCapacity | undefined
  #metadata: QueryCommandOutput['$metadata'] = {}
  /** Requests to shards that it took. */
  requests = 0
  /** Items that were evaluated for it. */
  scanned = 0
  /** The place that everything up to is in the page. */
  place: Cursor | undefined
  /** Whether nothing is left behind it. */
  isLast = false

  constructor(plan: QueryPlan) {
    this.#plan = plan
    this.place = plan.cursor
  }

  get items(): readonly PlacedItem[] {
    return this.#items
  }

  get capacity(): ConsumedCapacity | undefined {
    return this.#capacity
  }

  get metadata(): QueryCommandOutput['$metadata'] {
    return { ...this.#metadata, attempts: this.#attempts }
  }

  /** Counts a piece that was read, whether or not its items get into the page. */
  read({ scanned, capacity, metadata }: SubPage): void {
    this.requests += 1
    this.scanned += scanned
    this.#attempts += metadata.attempts ?? 1
    this.#capacity = addCapacity(this.#capacity, capacity)
    this.#metadata = metadata
  }

  add(item: PlacedItem): void {
    this.#items.push(item)
    this.place = { sort: item.sort, shard: item.shard, key: item.item }
  }

  /** Everything up to there is in the page, whether or not an item is. @returns whether the page can end there */
  reach({ sort, shard, key }: Frontier): boolean {
    if (key === undefined && !this.#plan.source.isUnique) return false
    this.place = { sort, shard, key: key ?? {} }
    return true
  }
}
