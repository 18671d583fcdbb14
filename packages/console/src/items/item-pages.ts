import type { Call, JsonItem } from './item.js'
import type { ItemRequest } from './item-request.js'

/** An item with its place. */
export interface FoundItem {
  readonly item: JsonItem
  /** The shard that it is in, if the items of a logical key were asked for. */
  readonly shard?: number
}

/** Where a page begins: after a key; with several shards, after a key of each, or at the end of one. */
export type PageStart = JsonItem | readonly (JsonItem | 'begin' | 'end')[]

/** A page of items. */
export interface ItemPage {
  readonly items: readonly FoundItem[]
  /** Where the next page begins. */
  readonly next?: PageStart
  readonly readUnits: number
  /** How many items were read. A filter leaves some out. */
  readonly evaluated: number
}

/** Reads a page. */
export type ReadPage = (start: PageStart | undefined, signal: AbortSignal) => Promise<ItemPage>

/** What an answer to Query or Scan has. */
export interface ItemAnswer {
  readonly Items?: readonly JsonItem[]
  readonly LastEvaluatedKey?: JsonItem
  readonly ScannedCount?: number
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }
}

/** A filter may leave out all of many answers. Then the reader decides whether to pay for more. */
const MAX_ANSWERS = 25
/** With a filter, more items are read in one request than the page has. */
const FILTERED_FACTOR = 4
/** The limit of a request where only the size of an answer ends it. */
const MAX_LIMIT = 1_000

/**
 * Reads items until a page is full. With a filter, a page may have more items, because the key after which the next one begins
 * is the service's.
 */
export function pageReader(call: Call, { operation, input }: ItemRequest, pageItems: number): ReadPage {
  const isFiltered = input.FilterExpression !== undefined
  return async (start, signal) => {
    const items: FoundItem[] = []
    let [readUnits, evaluated] = [0, 0]
    let from = Array.isArray(start) ? undefined : (start as JsonItem | undefined)
    for (let answers = 0; answers < MAX_ANSWERS && items.length < pageItems; answers++) {
      signal.throwIfAborted()
      const limit = isFiltered ? FILTERED_FACTOR * pageItems : pageItems - items.length
      const answer: ItemAnswer = await call(operation, {
        ...input,
        Limit: Math.min(MAX_LIMIT, limit),
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      })
      items.push(...(answer.Items ?? []).map((item) => ({ item })))
      readUnits += answer.ConsumedCapacity?.CapacityUnits ?? 0
      evaluated += answer.ScannedCount ?? answer.Items?.length ?? 0
      from = answer.LastEvaluatedKey
      if (from === undefined) return { items, readUnits, evaluated }
    }
    return { items, readUnits, evaluated, ...(from === undefined ? {} : { next: from }) }
  }
}
