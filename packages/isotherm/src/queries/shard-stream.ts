import {
  type AttributeValue,
  type ConsumedCapacity,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type Item, itemBytes, type KeyValue } from '@isotherm/semantics'
import { keyValueOf } from '../keys/item-key.js'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { SendOptions } from '../sdk/physical-client.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { comparePositions, type Position } from './position.js'
import type { QueryPlan } from './query-plan.js'
import type { ShardQuery } from './shard-query.js'

/** An item and its place in the merged order. */
export interface PlacedItem extends Position {
  readonly item: Record<string, AttributeValue>
  readonly bytes: number
}

/** What one request to a shard cost and gave. */
export interface SubPage {
  readonly scanned: number
  readonly evaluatedBytes: number
  readonly capacity: ConsumedCapacity | undefined
  readonly metadata: QueryCommandOutput['$metadata']
}

const READ_UNIT_BYTES = 4_096

/** One shard's items in order, fetched piece by piece. */
export class ShardStream {
  readonly #table: TableRuntime
  readonly #plan: QueryPlan
  readonly #request: LowLevelRequest
  readonly #query: ShardQuery
  readonly #shard: number
  #startKey: QueryCommandInput['ExclusiveStartKey']
  #buffer: PlacedItem[] = []
  /** Up to where everything is fetched; `undefined` before the first piece. */
  frontier: Position | undefined
  isFinished = false
  /** How many items the last piece was asked for; 0 before the first. */
  lastAsked = 0

  constructor(
    table: TableRuntime,
    plan: QueryPlan,
    request: LowLevelRequest,
    query: ShardQuery,
    shard: number,
  ) {
    this.#table = table
    this.#plan = plan
    this.#request = request
    this.#query = query
    this.#shard = shard
    this.#startKey = query.input.ExclusiveStartKey
  }

  get isDry(): boolean {
    return this.#buffer.length === 0 && !this.isFinished
  }

  /** Fetches the next piece, of at most so many items; without a number, as much as the service gives. */
  async fetch(items: number | undefined, options: SendOptions | undefined): Promise<SubPage> {
    const command = new QueryCommand({
      ...this.#query.input,
      ...(items === undefined ? {} : { Limit: items }),
      ...(this.#startKey === undefined ? {} : { ExclusiveStartKey: this.#startKey }),
    })
    this.#request.carryMiddleware(command)
    this.lastAsked = items ?? Number.POSITIVE_INFINITY
    const output = await this.#table.client.send(command, options)
    const placed = (output.Items ?? []).map((item) => this.#placed(item))
    const wanted =
      this.#query.excluded.length === 0 ? placed : placed.filter((item) => !this.#isExcluded(item))
    this.#buffer = this.#buffer.length === 0 ? wanted : [...this.#buffer, ...wanted]
    this.#advance(output)
    return {
      scanned: (output.ScannedCount ?? placed.length) - (placed.length - wanted.length),
      evaluatedBytes: this.#evaluatedBytes(output, placed),
      capacity: output.ConsumedCapacity,
      metadata: output.$metadata,
    }
  }

  /** Takes out what lies at or before the place; all of it, if no place is given. */
  takeUpTo(place: Position | undefined): readonly PlacedItem[] {
    const { direction } = this.#plan
    const beyond =
      place === undefined
        ? -1
        : this.#buffer.findIndex((item) => comparePositions(item, place, direction) > 0)
    const taken = beyond < 0 ? this.#buffer : this.#buffer.slice(0, beyond)
    this.#buffer = beyond < 0 ? [] : this.#buffer.slice(beyond)
    return taken
  }

  #advance({ LastEvaluatedKey }: QueryCommandOutput): void {
    this.#startKey = LastEvaluatedKey
    const frontier =
      LastEvaluatedKey === undefined
        ? undefined
        : { sort: this.#sortOf(LastEvaluatedKey), shard: this.#shard }
    // What is let through but not wanted lies at the far end of the range, so behind it is nothing.
    this.isFinished = frontier === undefined || this.#isExcluded(frontier)
    this.frontier = frontier
  }

  #placed(item: Record<string, AttributeValue>): PlacedItem {
    const bytes = this.#plan.fetched.isWhole ? itemBytes(item as unknown as Item) : 0
    return { item, bytes, shard: this.#shard, sort: this.#sortOf(item) }
  }

  #sortOf(item: Record<string, AttributeValue>): KeyValue | undefined {
    const { name, sortKey } = this.#table.options
    if (sortKey === undefined) return undefined
    const sort = keyValueOf(item[sortKey])
    if (sort === undefined) throw new TypeError(`An item of ${name} came without its sort key ${sortKey}.`)
    return sort
  }

  #isExcluded({ sort }: Position): boolean {
    return sort !== undefined && this.#query.excluded.some((value) => compareKeyValues(value, sort) === 0)
  }

  /** What was read, in bytes: exact where whole items came, else from what it cost, which the service rounds up. */
  #evaluatedBytes(output: QueryCommandOutput, placed: readonly PlacedItem[]): number {
    if (this.#plan.fetched.isWhole && !this.#plan.filtered)
      return placed.reduce((sum, { bytes }) => sum + bytes, 0)
    const units = output.ConsumedCapacity?.CapacityUnits
    if (units === undefined) return (output.ScannedCount ?? placed.length) * this.#table.meanItemBytes.bytes
    return units * READ_UNIT_BYTES * (this.#plan.consistent ? 1 : 2)
  }
}
