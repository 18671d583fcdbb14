import type {
  AttributeValue,
  ConsumedCapacity,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type Item, itemBytes, type KeyValue, READ_UNIT_BYTES } from '@isotherm/semantics'
import type { ShardReader } from '../attempts/shard-reader.js'
import { keyValueOf } from '../keys/item-key.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { readOrigins } from '../protocol/moves/move-name.js'
import { comparePositions, type PlacedItem, type Position } from './position.js'
import type { QueriedTable } from './queried-table.js'
import type { QueryPlan } from './query-plan.js'
import type { StoredKey } from './query-source.js'
import { expressionFor, restAfter, type ShardRest, shardInput } from './shard-query.js'
import type { SortExpression } from './sort-expression.js'
import { contains, isAtEnd, upTo } from './sort-range.js'

/** A place up to which something is fetched. */
export interface Frontier extends Position {
  /** The key there, of a place that a page can end at. */
  readonly key: StoredKey | undefined
}

/** What one request to a shard cost and gave. */
export interface SubPage {
  readonly scanned: number
  readonly evaluatedBytes: number
  readonly capacity: ConsumedCapacity | undefined
  readonly metadata: QueryCommandOutput['$metadata']
}

/** One shard of one query. */
export interface ShardStreamOptions {
  readonly table: QueriedTable
  readonly plan: QueryPlan
  readonly reader: ShardReader
  readonly shard: number
  /** The highest shard of the query. */
  readonly lastShard: number
  readonly rest: ShardRest
  /** When it is read, where items move: after all of earlier stages. 0 where they do not. */
  readonly stage: number
  /** Drops what lies at or before it: a shard that is asked for a sort key again has given some of it. */
  readonly after: Position | undefined
}

/** One shard's items in order, fetched piece by piece. */
export class ShardStream {
  readonly stage: number
  readonly #options: ShardStreamOptions
  #rest: ShardRest
  #whole: { readonly input: QueryCommandInput; readonly sort: SortExpression } | undefined
  #buffer: PlacedItem[] = []
  /** Up to where everything is fetched; `undefined` before the first piece. */
  frontier: Frontier | undefined
  isFinished = false
  /** How many items the last piece was asked for; 0 before the first. */
  lastAsked = 0
  /** How many items were fetched. */
  given = 0

  constructor(options: ShardStreamOptions) {
    this.#options = options
    this.#rest = options.rest
    this.stage = options.stage
  }

  get isDry(): boolean {
    return this.#buffer.length === 0 && !this.isFinished
  }

  /** Whether everything up to the place was fetched. */
  covers(place: Position | undefined): boolean {
    if (this.isFinished) return true
    if (place === undefined || this.frontier === undefined) return false
    return comparePositions(this.frontier, place, this.#options.plan.order) >= 0
  }

  get buffered(): readonly PlacedItem[] {
    return this.#buffer
  }

  /**
   * Fetches the next piece, of at most so many items; without a number, as much as the service gives.
   * @param reach a place to stop at, so that nothing beyond it is taken for fetched
   */
  async fetch(items: number | undefined, reach: Position | undefined): Promise<SubPage> {
    const { reader } = this.#options
    const { input, sort } = this.#request(reach)
    this.lastAsked = items ?? Number.POSITIVE_INFINITY
    const request = { ...input }
    if (items !== undefined) request.Limit = items
    if (this.#rest.startKey !== undefined) request.ExclusiveStartKey = this.#rest.startKey
    if (this.#isConsistent) request.ConsistentRead = true
    const output = await reader.send(request)
    const placed = (output.Items ?? []).map((item) => this.#placed(item))
    const wanted = placed.filter((item) => this.#isWanted(item, sort))
    this.#buffer = this.#buffer.length === 0 ? wanted : [...this.#buffer, ...wanted]
    this.given += wanted.length
    this.#advance(output.LastEvaluatedKey, reach)
    return {
      scanned: (output.ScannedCount ?? placed.length) - (placed.length - wanted.length),
      evaluatedBytes: this.#evaluatedBytes(output, placed),
      capacity: output.ConsumedCapacity,
      metadata: output.$metadata,
    }
  }

  /** Takes out what lies at or before the place; all of it, if no place is given. */
  takeUpTo(place: Position | undefined): readonly PlacedItem[] {
    const { order } = this.#options.plan
    const beyond =
      place === undefined ? -1 : this.#buffer.findIndex((item) => comparePositions(item, place, order) > 0)
    const taken = beyond < 0 ? this.#buffer : this.#buffer.slice(0, beyond)
    this.#buffer = beyond < 0 ? [] : this.#buffer.slice(beyond)
    return taken
  }

  /** An item that has left its source must be seen at its target, which a stale replica may not have got yet. */
  get #isConsistent(): boolean {
    const { stage, plan } = this.#options
    return stage > 0 && plan.source.indexName === undefined
  }

  #request(reach: Position | undefined) {
    const { plan, shard } = this.#options
    if (reach?.sort !== undefined) {
      const sort = expressionFor(plan, upTo(this.#rest.range, reach.sort, plan.order.direction))
      return { input: shardInput(plan, shard, sort), sort }
    }
    if (this.#whole === undefined) {
      const sort = expressionFor(plan, this.#rest.range)
      this.#whole = { input: shardInput(plan, shard, sort), sort }
    }
    return this.#whole
  }

  #advance(lastKey: StoredKey | undefined, reach: Position | undefined): void {
    if (lastKey !== undefined) {
      const frontier = { sort: this.#sortOf(lastKey), shard: this.#lastPlace, key: lastKey }
      if (!this.#hasAll(frontier, reach)) {
        this.frontier = frontier
        this.#goOn({ ...this.#rest, startKey: lastKey }, frontier)
        return
      }
    }
    if (reach?.sort === undefined) {
      this.isFinished = true
      this.frontier = undefined
      return
    }
    const { plan, shard, lastShard } = this.#options
    // That sort key was read whole, so the place lies behind whatever any shard has of it.
    this.frontier = { sort: reach.sort, shard: lastShard, key: undefined }
    const rest = restAfter(plan, shard, { sort: reach.sort, shard: Number.POSITIVE_INFINITY, key: {} }, false)
    if (rest === undefined) this.isFinished = true
    else this.#goOn(rest, this.frontier)
  }

  /** The furthest place in the order that an item of this shard may have, with a given sort key. */
  get #lastPlace(): number {
    const { stage, plan, shard, lastShard } = this.#options
    return stage > 0 && plan.source.isUnique ? lastShard : shard
  }

  /** Whether a shard that was read up to the frontier has nothing left up to the reach. */
  #hasAll({ sort }: Position, reach: Position | undefined): boolean {
    if (sort === undefined || reach?.sort === undefined) return false
    return this.#options.plan.source.isUnique && compareKeyValues(sort, reach.sort) === 0
  }

  #goOn(rest: ShardRest, { sort }: Position): void {
    const { order, source } = this.#options.plan
    this.#rest = rest
    this.#whole =
      this.#whole !== undefined && rest.range === this.#options.rest.range ? this.#whole : undefined
    if (sort !== undefined && isAtEnd(rest.range, sort, order.direction, source.isUnique))
      this.isFinished = true
  }

  #placed(item: Record<string, AttributeValue>): PlacedItem {
    const { plan, stage, shard } = this.#options
    const bytes = plan.fetched.isWhole ? itemBytes(item as unknown as Item) : 0
    const origins = readOrigins(item[MOVE_ATTRIBUTES.moved]?.S)
    const sort = this.#sortOf(item)
    return { item, bytes, shard: this.#placeOf(origins[0]), sort, stage, heldBy: shard, origins }
  }

  /**
   * While retired shards are emptied, an item keeps the place in the order that it had: a cursor that has passed it there
   * has passed it here.
   */
  #placeOf(origin: number | undefined): number {
    const { shard, stage, plan, lastShard } = this.#options
    if (stage === 0 || !plan.order.parted || !plan.source.isUnique) return shard
    return origin !== undefined && origin > shard && origin <= lastShard ? origin : shard
  }

  #sortOf(item: Record<string, AttributeValue>): KeyValue | undefined {
    const { table, plan } = this.#options
    const { sortKey } = plan.source
    if (sortKey === undefined) return undefined
    const sort = keyValueOf(item[sortKey])
    if (sort === undefined)
      throw new TypeError(`An item of ${table.options.name} came without its sort key ${sortKey}.`)
    return sort
  }

  #isWanted(item: PlacedItem, { excluded }: SortExpression): boolean {
    const { after, plan, shard, table } = this.#options
    const { sort } = item
    if (plan.equalSortKeys?.isCursorItem(table, plan, item.item)) return false
    if (sort !== undefined && excluded.some((value) => compareKeyValues(value, sort) === 0)) {
      if (!contains(this.#rest.range, sort)) return false
    }
    if (after === undefined) return true
    // This is what the page before ended with. When it was given, nothing moved, and the mark of an older move told nothing.
    const isEnd = shard === after.shard && comparePositions({ sort, shard }, after, plan.order) === 0
    return !isEnd && comparePositions(item, after, plan.order) > 0
  }

  /** What was read, in bytes: exact where whole items came, else from what it cost, which the service rounds up. */
  #evaluatedBytes(output: QueryCommandOutput, placed: readonly PlacedItem[]): number {
    const { plan, table } = this.#options
    if (plan.fetched.isWhole && !plan.filtered) return placed.reduce((sum, { bytes }) => sum + bytes, 0)
    const units = output.ConsumedCapacity?.CapacityUnits
    if (units === undefined) return (output.ScannedCount ?? placed.length) * table.meanItemBytes.bytes
    return units * READ_UNIT_BYTES * (plan.consistent || this.#isConsistent ? 1 : 2)
  }
}
