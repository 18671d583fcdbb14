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
  readonly #items: PlacedItem[] = []
  readonly #metadata = new SummedMetadata()
  #capacity: ConsumedCapacity | undefined
  /** The number of requests to shards. */
  requests = 0
  /** The number of items that the service evaluated. */
  scanned = 0
  /** Everything up to this position is in the page. */
  place: Cursor | undefined
  /** Whether no items remain after the page. */
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
    return this.#metadata.total()
  }

  /** Counts the result of a request, whether or not its items become part of the page. */
  read({ scanned, capacity, metadata }: SubPage): void {
    this.requests += 1
    this.scanned += scanned
    this.#metadata.add(metadata)
    this.#capacity = addCapacity(this.#capacity, capacity)
  }

  add(item: PlacedItem): void {
    this.#items.push(item)
    this.place = { sort: item.sort, shard: item.shard, key: item.item }
  }

  /**
   * Records that everything up to the position is in the page, whether or not there is an item at it. @returns whether
   * the page can end there
   */
  reach({ sort, shard, key }: Frontier): boolean {
    if (key === undefined && !this.#plan.source.isUnique) return false
    this.place = { sort, shard, key: key ?? {} }
    return true
  }
}
