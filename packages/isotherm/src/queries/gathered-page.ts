import type { ConsumedCapacity, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { SummedMetadata } from '../attempts/summed-metadata.js'
import { addCapacity } from '../sdk/consumed-capacity.js'
import type { Cursor } from './cursor.js'
import type { PlacedItem } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { Frontier, SubPage } from './shard-stream.js'

/** A page in the merged order while it is assembled. */
export class GatheredPage {
  readonly #plan: QueryPlan
  readonly #items: PlacedItem['item'][] = []
  readonly #metadata = new SummedMetadata()
  #capacity: ConsumedCapacity | undefined
  /** The number of requests to shards. */
  requests = 0
  /** The number of items that the service evaluated. */
  scanned = 0
  #last: PlacedItem | undefined
  /** The position up to which everything is in the page, unless that is its last item. */
  #reached: Cursor | undefined
  /** Whether no items remain after the page. */
  isLast = false

  constructor(plan: QueryPlan) {
    this.#plan = plan
    this.#reached = plan.cursor
  }

  get items(): readonly PlacedItem['item'][] {
    return this.#items
  }

  get capacity(): ConsumedCapacity | undefined {
    return this.#capacity
  }

  get metadata(): QueryCommandOutput['$metadata'] {
    return this.#metadata.total()
  }

  /** Counts the result of a request, whether or not its items become part of the page. */
  read({ scanned, capacity, metadata }: SubPage): void {
    this.requests += 1
    this.scanned += scanned
    this.#metadata.add(metadata)
    this.#capacity = addCapacity(this.#capacity, capacity)
  }

  /** Everything up to this position is in the page. */
  get place(): Cursor | undefined {
    const last = this.#last
    return last === undefined ? this.#reached : { sort: last.sort, shard: last.shard, key: last.item }
  }

  add(item: PlacedItem): void {
    this.#items.push(item.item)
    this.#last = item
  }

  /**
   * Records that everything up to the position is in the page, whether or not there is an item at it. @returns whether
   * the page can end there
   */
  reach({ sort, shard, key }: Frontier): boolean {
    if (key === undefined && !this.#plan.source.isUnique) return false
    this.#reached = { sort, shard, key: key ?? {} }
    this.#last = undefined
    return true
  }
}
