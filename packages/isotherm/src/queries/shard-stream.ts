import type {
  AttributeValue,
  ConsumedCapacity,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import {
  compareKeyValues,
  type Item,
  itemBytes,
  type KeyValue,
  READ_UNIT_BYTES,
  readUnits,
} from '@isotherm/semantics'
import type { ShardReader } from '../attempts/shard-reader.js'
import { keyValueOf } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import { MOVE_ATTRIBUTES, readOrigins } from '../protocol/index.js'
import { SensedRead } from '../scaling/sensed-read.js'
import { comparePositions, countUpTo, type PlacedItem, type Position } from './position.js'
import type { QueriedTable } from './queried-table.js'
import type { QueryPlan } from './query-plan.js'
import type { StoredKey } from './query-source.js'
import { expressionFor, restAfter, restUpTo, type ShardRest, shardInput } from './shard-query.js'
import type { SortExpression } from './sort-expression.js'
import { beginsBehind, contains, isAtEnd } from './sort-range.js'
import { sortRank } from './sort-rank.js'

/** The position up to which everything has been read. */
export interface Frontier extends Position {
  /** The key at that position, if a page can end there. */
  readonly key: StoredKey | undefined
}

/** The cost and the size of the response to one request. */
export interface SubPage {
  /** The number of evaluated items, and of those among them that passed the filter. */
  readonly scanned: number
  readonly passed: number
  readonly evaluatedBytes: number
  readonly capacity: ConsumedCapacity | undefined
  readonly metadata: QueryCommandOutput['$metadata']
}

const SPREAD = { by: 'query' } as const

/** One shard of one query. */
export interface ShardStreamOptions {
  readonly table: QueriedTable
  readonly plan: QueryPlan
  readonly reader: ShardReader
  readonly shard: number
  /** The highest shard of the query. */
  readonly lastShard: number
  readonly rest: ShardRest
  /** The order of reading when items move: after all shards of earlier stages. 0 when they do not move. */
  readonly stage: number
  /**
   * Drops items at or before this position, because a shard that is read again from a sort key has already returned
   * some.
   */
  readonly after: Position | undefined
}

/** The items of one shard in order, read piece by piece. */
export class ShardStream {
  readonly stage: number
  readonly #options: ShardStreamOptions
  #rest: ShardRest
  #whole: { readonly input: QueryCommandInput; readonly sort: SortExpression } | undefined
  #buffer: PlacedItem[] = []
  /** Everything up to this position has been read. `undefined` before the first piece. */
  frontier: Frontier | undefined
  isFinished = false
  /** The limit of the last request, or 0 before the first. */
  lastAsked = 0
  /** The number of items read. */
  given = 0

  constructor(options: ShardStreamOptions) {
    this.#options = options
    this.#rest = options.rest
    this.stage = options.stage
  }

  get isDry(): boolean {
    return this.#buffer.length === 0 && !this.isFinished
  }

  /** Whether everything up to the position was read. */
  covers(place: Position | undefined): boolean {
    if (this.isFinished) return true
    if (place === undefined || this.frontier === undefined) return false
    return comparePositions(this.frontier, place, this.#options.plan.order) >= 0
  }

  get buffered(): readonly PlacedItem[] {
    return this.#buffer
  }

  /**
   * Counts everything up to the position as read if the rest of the shard begins behind it, as in an index after a page that ended among
   * equal sort keys. No request can ask for such a range.
   * @returns whether there was nothing to read
   */
  skip(reach: Position | undefined): boolean {
    const { direction } = this.#options.plan.order
    if (reach?.sort === undefined || !beginsBehind(this.#rest.range, reach.sort, direction)) return false
    this.#goBehind(reach.sort)
    return true
  }

  /**
   * Reads the next piece, of at most this many items. Without a number, reads as much as the service returns.
   * @param reach the position at which to stop, so that nothing after it counts as read
   */
  async fetch(items: number | undefined, reach: Position | undefined): Promise<SubPage> {
    const { reader, table, plan, shard } = this.#options
    const { input, sort, startKey } = this.#request(reach)
    this.lastAsked = items ?? Number.POSITIVE_INFINITY
    const request = { ...input }
    if (items !== undefined) request.Limit = items
    if (startKey !== undefined) request.ExclusiveStartKey = startKey
    if (this.#isConsistent) request.ConsistentRead = true
    const sensed = new SensedRead(table.readHeat, heatKeyOf(plan), shard, SPREAD)
    const output = await reader.send(request, (reasons, index) => sensed.throttled(reasons, { index }))
    const placed = (output.Items ?? []).map((item) => this.#placed(item))
    const wanted = this.#wantsAll(sort) ? placed : placed.filter((item) => this.#isWanted(item, sort))
    this.#buffer = this.#buffer.length === 0 ? wanted : [...this.#buffer, ...wanted]
    this.given += wanted.length
    this.#advance(output.LastEvaluatedKey, reach)
    const evaluatedBytes = this.#evaluatedBytes(output, placed)
    if (plan.source.indexName === undefined && reader.isAtSource) {
      const isStrong = plan.consistent || this.#isConsistent
      const units = output.ConsumedCapacity?.CapacityUnits
      sensed.answered(units ?? readUnits(evaluatedBytes, isStrong ? 'strong' : 'eventual'))
    }
    return {
      scanned: (output.ScannedCount ?? placed.length) - (placed.length - wanted.length),
      passed: wanted.length,
      evaluatedBytes,
      capacity: output.ConsumedCapacity,
      metadata: output.$metadata,
    }
  }

  /** Removes and returns the items at or before the position, or all items without a position. */
  takeUpTo(place: Position | undefined): readonly PlacedItem[] {
    const { order } = this.#options.plan
    const beyond = place === undefined ? this.#buffer.length : countUpTo(this.#buffer, place, order)
    const taken = this.#buffer.slice(0, beyond)
    this.#buffer = this.#buffer.slice(beyond)
    return taken
  }

  /**
   * An item that has left its source must be visible in its target, which a replica or an eventually consistent read
   * may not show yet.
   */
  get #isConsistent(): boolean {
    const { stage, plan } = this.#options
    return stage > 0 && plan.source.indexName === undefined
  }

  #request(reach: Position | undefined) {
    const { plan, shard } = this.#options
    const bounded = reach?.sort && restUpTo(plan, shard, this.#rest, reach.sort)
    if (bounded !== undefined) {
      const sort = expressionFor(plan, bounded.range)
      return { input: shardInput(plan, shard, sort), sort, startKey: bounded.startKey }
    }
    if (this.#whole === undefined) {
      const sort = expressionFor(plan, this.#rest.range)
      this.#whole = { input: shardInput(plan, shard, sort), sort }
    }
    return { ...this.#whole, startKey: this.#rest.startKey }
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
    this.#goBehind(reach.sort)
  }

  #goBehind(sort: KeyValue): void {
    const { plan, shard, lastShard } = this.#options
    // All items with that sort key were read, so the frontier is after those of every shard.
    this.frontier = { sort, shard: lastShard, key: undefined }
    const rest = restAfter(plan, shard, { sort, shard: Number.POSITIVE_INFINITY, key: {} }, false)
    if (rest === undefined) this.isFinished = true
    else this.#goOn(rest, this.frontier)
  }

  /** The last position in the order that an item of this shard may have for a given sort key. */
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
    const rank = sortRank(sort)
    return { item, bytes, shard: this.#placeOf(origins[0]), sort, rank, stage, heldBy: shard, origins }
  }

  /**
   * While retired shards are drained, an item keeps the position of its original shard. So a cursor that has passed
   * that position has passed the item in its new shard, too.
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

  /** Whether `#isWanted` is true for every item, as for most queries. */
  #wantsAll({ excluded }: SortExpression): boolean {
    const { after, plan } = this.#options
    return after === undefined && plan.equalSortKeys === undefined && excluded.length === 0
  }

  #isWanted(item: PlacedItem, { excluded }: SortExpression): boolean {
    const { after, plan, shard, table } = this.#options
    const { sort } = item
    if (plan.equalSortKeys?.isCursorItem(table, plan, item.item)) return false
    if (sort !== undefined && excluded.some((value) => compareKeyValues(value, sort) === 0)) {
      if (!contains(this.#rest.range, sort)) return false
    }
    if (after === undefined) return true
    // This is the last item of the previous page. If nothing moved then, the mark of an older move was not used for its
    // position.
    const isEnd = shard === after.shard && comparePositions({ sort, shard }, after, plan.order) === 0
    return !isEnd && comparePositions(item, after, plan.order) > 0
  }

  /**
   * The size of the evaluated items in bytes. It is exact for whole items without a filter. With a filter it is
   * estimated by the items that passed, or derived from the consumed capacity, which the service rounds up.
   */
  #evaluatedBytes(output: QueryCommandOutput, placed: readonly PlacedItem[]): number {
    const { plan, table } = this.#options
    const bytes = plan.fetched.isWhole ? placed.reduce((sum, item) => sum + item.bytes, 0) : 0
    if (plan.fetched.isWhole && !plan.filtered) return bytes
    const scanned = output.ScannedCount ?? placed.length
    const units = output.ConsumedCapacity?.CapacityUnits
    if (units === undefined) return scanned * table.meanItemBytes.bytes
    const most = units * READ_UNIT_BYTES * (plan.consistent || this.#isConsistent ? 1 : 2)
    const mean = bytes === 0 ? table.meanItemBytes.bytes : bytes / placed.length
    const expected = mean * scanned
    // The middle, so that items do not seem to be larger the fewer of them are requested.
    return expected > most - READ_UNIT_BYTES && expected <= most ? expected : most - READ_UNIT_BYTES / 2
  }
}

/** The key that the application queries: the table's, or that of an index with a key of its own. */
function heatKeyOf({ logical, indexKey }: QueryPlan): LogicalKey {
  if (logical !== undefined) return logical
  const [value] = Object.values(indexKey)
  const text = value === undefined || 'N' in value ? { S: value?.N ?? '' } : value
  return text as LogicalKey
}
