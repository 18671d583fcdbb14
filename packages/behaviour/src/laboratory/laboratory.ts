import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type IsothermMethods, type IsothermOptions, isotherm, type ShardedTableOptions } from 'isotherm'
import type { Engine, OpenEngine } from '../engines/engine.js'
import { SHAPES, type Shape, type ShapeName, withoutTransactions } from './shapes.js'
import { SteeredClock } from './steered-clock.js'
import { deleteTables, makeTables, type TableNames, tableNames } from './tables.js'

export type Item = Record<string, unknown>
/** A process of an application: it has the library's memory to itself and shares only connections. */
export type Process = DynamoDBDocumentClient & IsothermMethods
export type Overrides = { readonly [shape in ShapeName]?: Pick<ShardedTableOptions, 'retryDeadline'> }

/** The shard map's item of a key, by its documented attributes. */
export interface MapState {
  readonly shards: number
  /** Earlier counts, the oldest first. */
  readonly before?: readonly number[]
  readonly change?: { readonly phase: 'announced' | 'moved'; readonly from: number; readonly to: number }
}

/** Longer than any process uses a cached item of the shard map. */
export const CACHE_MILLISECONDS = 31_000

/**
 * The clock jumps ahead while requests are under way, and the library aborts a write half of this after the end of its view. With so long a
 * time, it looks for such writes so seldom by the machine's time that all of them are answered before.
 */
const LATE_REQUESTS = { lateRequests: '2m' } as const

/** One engine with the tables of the suite, and everything that a guarantee needs for its checks. */
export class Laboratory {
  readonly clock = new SteeredClock()
  readonly names: TableNames
  /** A client of the engine itself: physical keys, unsharded tables. */
  readonly client: DynamoDBClient
  readonly documents: DynamoDBDocumentClient
  readonly #engine: OpenEngine
  readonly #hasTransactions: boolean
  readonly #random = new SeededRandom(1)
  #keys = 0

  private constructor(engine: OpenEngine, names: TableNames, hasTransactions: boolean) {
    this.#engine = engine
    this.#hasTransactions = hasTransactions
    this.names = names
    this.client = engine.client()
    this.documents = DynamoDBDocumentClient.from(this.client)
  }

  static async open(engine: Engine): Promise<Laboratory> {
    const opened = await engine.open()
    const names = tableNames(`isotherm_${Math.floor(new SteeredClock().now())}`)
    const laboratory = new Laboratory(opened, names, engine.lacks.transactions === undefined)
    await makeTables(laboratory.client, laboratory.names, engine.lacks['local indexes'] === undefined)
    return laboratory
  }

  async close(): Promise<void> {
    if (this.#engine.keepsTables) await deleteTables(this.client, this.names)
    this.client.destroy()
    await this.#engine.close()
  }

  /** A logical key that no other guarantee uses. */
  key(): string {
    this.#keys += 1
    return `key ${this.#keys}`
  }

  /** A process whose client uses plain values. */
  process(overrides: Overrides = {}): Process {
    return isotherm(this.documents, this.options(overrides))
  }

  /** A process whose client uses attribute values. */
  lowLevel(overrides: Overrides = {}): DynamoDBClient & IsothermMethods {
    return isotherm(this.client, this.options(overrides))
  }

  options(overrides: Overrides = {}) {
    const shapes = Object.entries(SHAPES) as [ShapeName, Shape][]
    const tables: IsothermOptions['tables'] = Object.fromEntries(
      shapes.map(([name, { options }]) => {
        const told = this.#hasTransactions ? options : withoutTransactions(options)
        return [
          this.names.sharded[name],
          { ...told, ...('suffix' in told && LATE_REQUESTS), ...overrides[name] },
        ]
      }),
    )
    return { tables, clock: this.clock, random: new SeededRandom(Math.floor(this.#random.next() * 1e9)) }
  }

  /** Writes a key's item in the shard map, and waits until every process uses it. */
  async setState(shape: ShapeName, key: string, state: MapState): Promise<void> {
    await this.setStateUnnoticed(shape, key, state)
    this.clock.advance(CACHE_MILLISECONDS)
  }

  /** Writes a key's item in the shard map; processes that have cached it keep using the old one for a while. */
  async setStateUnnoticed(
    shape: ShapeName,
    key: string,
    { shards, before = [], change }: MapState,
  ): Promise<void> {
    // No two states of a key have the same second.
    this.clock.advance(2_000)
    const now = Math.floor(this.clock.now() / 1_000)
    const history = [...before, shards].map((count, index) => `${now - 100 + index}:${count}`)
    const changing = {
      phase: { S: change?.phase ?? '' },
      from_shards: { N: String(change?.from) },
      to_shards: { N: String(change?.to) },
    }
    const Item = {
      [SHAPES[shape].options.partitionKey]: { S: key },
      number_of_shards: { N: String(shards) },
      last_updated: { N: String(now) },
      shard_history: { SS: history },
      ...(change === undefined ? {} : changing),
    }
    await this.#list(shape, key)
    await this.client.send(new PutItemCommand({ TableName: this.shardMap(shape), Item }))
  }

  /** Lists a key on the card of its table, as a process does before it changes the count. Without a card, the first process makes one that lists all keys. */
  async #list(shape: ShapeName, key: string): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: this.shardMap(shape),
      Key: { [SHAPES[shape].options.partitionKey]: { S: 'isotherm:card' } },
      UpdateExpression: 'ADD listed_keys :keys, version :one',
      ConditionExpression: 'attribute_exists(settings) AND attribute_not_exists(lists_all)',
      ExpressionAttributeValues: { ':keys': { SS: [key] }, ':one': { N: '1' } },
    })
    await this.client.send(command).catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
    })
  }

  shardMap(shape: ShapeName): string {
    return `${this.names.sharded[shape]}_shard_map`
  }

  /** Every stored item of a logical key, in order, with its physical key. */
  async stored(shape: ShapeName, key: string): Promise<readonly (Item & { readonly physical: string })[]> {
    const { partitionKey } = SHAPES[shape].options
    const suffixed = new RegExp(`^${key}(_\\d+)?$`)
    const found: (Item & { physical: string })[] = []
    for await (const { Items = [] } of paginateScan(
      { client: this.documents },
      {
        TableName: this.names.sharded[shape],
        ConsistentRead: true,
      },
    )) {
      for (const item of Items) {
        const physical = String(item[partitionKey])
        if (suffixed.test(physical)) found.push({ ...item, physical })
      }
    }
    return found.sort((a, b) => (a.physical < b.physical ? -1 : 1))
  }

  /** All pages of a query of one key. */
  async query(
    process: DynamoDBDocumentClient,
    shape: ShapeName,
    key: unknown,
    {
      plain = false,
      pageSize,
      ...input
    }: { plain?: boolean; pageSize?: number; [name: string]: unknown } = {},
  ): Promise<Item[]> {
    const items: Item[] = []
    const how = pageSize === undefined ? { client: process } : { client: process, pageSize }
    for await (const page of paginateQuery(how, {
      ConsistentRead: true,
      ...this.ofKey(shape, key, plain),
      ...input,
    })) {
      items.push(...(page.Items ?? []))
    }
    return items
  }

  /** The input of a query of one key. */
  ofKey(shape: ShapeName, key: unknown, plain = false) {
    return {
      TableName: this.names[plain ? 'plain' : 'sharded'][shape],
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': SHAPES[shape].options.partitionKey },
      ExpressionAttributeValues: { ':key': key },
    }
  }
}
