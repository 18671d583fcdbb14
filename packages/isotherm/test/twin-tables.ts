import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { isotherm } from '../src/client/isotherm.js'
import type { IsothermMethods } from '../src/client/isotherm-methods.js'
import type { ShardedTableOptions } from '../src/client/options.js'
import type { IsothermEvent } from '../src/events/event.js'
import { readItemKey } from '../src/keys/item-key.js'
import { placementOf } from '../src/protocol/placement/placement.js'
import { ensureShardMap } from '../src/protocol/shard-map/ensure-shard-map.js'
import { atRest, type Changing, type ShardState } from '../src/protocol/states/shard-state.js'
import { fixedView, viewOf } from '../src/protocol/states/shard-view.js'
import { toAttributes } from '../src/protocol/stored-state/shard-map-item.js'
import { dynamicShards, fixedShards } from '../src/scaling/shards.js'
import { operationOf } from '../src/sdk/operation.js'
import type { AnyCommand } from '../src/sdk/physical-client.js'
import { calculated } from '../src/writes/calculated.js'
import type { HandMade } from '../src/writes/hand-made.js'
import { listAll } from './list-all.js'
import { warmedUp } from './warmed-up.js'

export type StoredItem = Record<string, AttributeValue>

/** The state of a table's keys during the requests. */
export interface Situation {
  readonly name: string
  readonly suffix: Exclude<ShardedTableOptions['suffix'], HandMade>
  /** The state of every key. Without it, the count is fixed. */
  readonly state?: ShardState
  readonly shards: number
}

const HISTORY = ['1:4', '2:2']

function changing(phase: Changing['phase'], from: number, to: number): ShardState {
  const shards = phase === 'announced' ? from : to
  return { shards, lastUpdated: 2, history: [`1:${from}`, `2:${to}`], phase, from, to }
}

export const SITUATIONS: readonly Situation[] = [
  { name: 'a random suffix and a fixed count', suffix: 'random', shards: 4 },
  {
    name: 'a random suffix and retired shards',
    suffix: 'random',
    shards: 2,
    state: atRest({ shards: 2, lastUpdated: 2, history: HISTORY }),
  },
  {
    name: 'a random suffix and a count that has grown again',
    suffix: 'random',
    shards: 4,
    state: atRest({ shards: 4, lastUpdated: 3, history: [...HISTORY, '3:4'] }),
  },
  { name: 'a calculated suffix and a fixed count', suffix: 'calculated', shards: 4 },
  {
    name: 'a calculated suffix and a settled count',
    suffix: 'calculated',
    shards: 3,
    state: atRest({ shards: 3, lastUpdated: 1, history: ['1:3'] }),
  },
  {
    name: 'a calculated suffix and an announced count',
    suffix: 'calculated',
    shards: 2,
    state: changing('announced', 2, 5),
  },
  {
    name: 'a calculated suffix while items are moved to more shards',
    suffix: 'calculated',
    shards: 5,
    state: changing('moved', 2, 5),
  },
  {
    name: 'a calculated suffix while items are moved to fewer shards',
    suffix: 'calculated',
    shards: 2,
    state: changing('moved', 4, 2),
  },
  {
    name: 'a calculated suffix while the last items are moved to more shards',
    suffix: 'calculated',
    shards: 5,
    state: changing('draining', 2, 5),
  },
]

/** The shard of an item, and whether its move was started. */
export interface Whereabouts {
  /** Selects one of the shards that the situation allows. */
  readonly place: number
  readonly isMarked: boolean
}

export const CUSTOMER = { S: 'c_1' }
export const keyOf = (id: number): StoredItem => ({ customer: CUSTOMER, order_id: { S: `order ${id}` } })

/** A sharded and an unsharded table in one engine. The same requests must have the same results in both. */
export class TwinTables {
  readonly clock = new VirtualClock()
  readonly #local = createLocal({ clock: this.clock, random: new SeededRandom(1), throttle: false })
  readonly plain: DynamoDBClient = this.#local.client()
  readonly db: DynamoDBClient & IsothermMethods
  readonly events: IsothermEvent[] = []
  /** Called with the operation and input of each request for an item, before the library sends it. */
  beforeRequest: (operation: string, input: object) => void | Promise<void> = () => {}
  /** Replaces the engine's response if it returns one. */
  answerInstead: (operation: string, input: object) => object | undefined = () => undefined
  readonly #situation: Situation

  readonly #options: Partial<ShardedTableOptions>

  constructor(situation: Situation, options: Partial<ShardedTableOptions> = {}) {
    this.#situation = situation
    this.#options = options
    this.db = this.#open(this.#watched())
  }

  #open(client: DynamoDBClient): DynamoDBClient & IsothermMethods {
    const { state, shards, suffix } = this.#situation
    return isotherm(client, {
      tables: {
        sharded: {
          partitionKey: 'customer',
          sortKey: 'order_id',
          suffix,
          shards: state === undefined ? fixedShards(shards) : dynamicShards({ initial: 1 }),
          ...this.#options,
        },
      },
      clock: this.clock,
      random: new SeededRandom(2),
      onEvent: (event) => this.events.push(event),
    })
  }

  /** Runs the test on virtual time, with empty tables `sharded`, `plain` and `other`. */
  async run(test: () => Promise<void>): Promise<void> {
    await warmedUp(this.plain)
    await this.clock.run(async () => {
      for (const name of ['sharded', 'plain', 'other']) await this.#createTable(name)
      const { state } = this.#situation
      if (state !== undefined) {
        await ensureShardMap(this.plain, { table: 'sharded', clock: this.clock })
        await listAll(this.#open(this.plain), 'sharded', 'customer', { order_id: { S: 'any' } })
        const Item = { customer: CUSTOMER, ...toAttributes(state) }
        await this.plain.send(new PutItemCommand({ TableName: 'sharded_shard_map', Item }))
      }
      await test()
    })
    await this.#local.close()
  }

  /** Puts an item into both tables. In the sharded table, it puts the item into one of its possible shards. */
  async seed(item: StoredItem, { place, isMarked }: Whereabouts): Promise<void> {
    const { state } = this.#situation
    await this.plain.send(new PutItemCommand({ TableName: 'plain', Item: item }))
    const { places, target, sources } = this.#placesOf(item)
    // Before items are moved, no process creates or moves an item in its target shard.
    const allowed = state?.phase === 'announced' ? places.slice(0, 1) : places
    const shard = allowed[place % allowed.length] ?? 1
    const mark = isMarked && sources.includes(shard) ? { isotherm_moving: { S: `${target}:1` } } : {}
    const Item = { ...item, customer: { S: `${CUSTOMER.S}_${shard}` }, ...mark }
    await this.plain.send(new PutItemCommand({ TableName: 'sharded', Item }))
  }

  /** Executes the next step of a move: marks the item in its source shard, or moves the marked item to its target. */
  async stepMove(id: number): Promise<void> {
    const { sources, target } = this.#placesOf(keyOf(id))
    for (const shard of sources) {
      const Key = { ...keyOf(id), customer: { S: `${CUSTOMER.S}_${shard}` } }
      const read = new GetItemCommand({ TableName: 'sharded', Key, ConsistentRead: true })
      const { Item } = await this.plain.send(read)
      if (Item === undefined) continue
      await (Item.isotherm_moving === undefined
        ? this.#mark(Key, target)
        : this.#carry(Key, Item, target)
      ).catch(refusedOnly)
    }
  }

  async #mark(Key: StoredItem, to: number): Promise<void> {
    await this.plain.send(
      new UpdateItemCommand({
        TableName: 'sharded',
        Key,
        UpdateExpression: 'SET isotherm_moving = :mark',
        ConditionExpression: 'attribute_exists(customer)',
        ExpressionAttributeValues: { ':mark': { S: `${to}:1` } },
      }),
    )
  }

  async #carry(Key: StoredItem, item: StoredItem, to: number): Promise<void> {
    const { isotherm_moving: _mark, ...kept } = item
    const copy = { ...kept, customer: { S: `${CUSTOMER.S}_${to}` }, isotherm_moved: { S: `1:${to}:1` } }
    const isFree = { ConditionExpression: 'attribute_not_exists(customer)' }
    const isMarked = { ConditionExpression: 'attribute_exists(isotherm_moving)' }
    const TransactItems = [
      { Put: { TableName: 'sharded', Item: copy, ...isFree } },
      { Delete: { TableName: 'sharded', Key, ...isMarked } },
    ]
    await this.plain.send(new TransactWriteItemsCommand({ TransactItems }))
  }

  #placesOf(attributes: StoredItem) {
    const { suffix, shards, state } = this.#situation
    const placement = placementOf({
      suffix: suffix === 'calculated' ? calculated() : suffix,
      partitionKey: 'customer',
    })
    const view = state === undefined ? fixedView(shards) : viewOf(state, 0)
    const key = readItemKey({ name: 'sharded', partitionKey: 'customer', sortKey: 'order_id' }, attributes)
    const places = placement.candidates(view, key)
    // A process that moves items may use a lower count, without knowing that the count has grown again.
    const [drained = view.shards] = view.moves?.kind === 'drain' ? view.moves.below : []
    const target = placement.home({ ...view, shards: drained }, key)
    const sources = places.filter((shard) => (suffix === 'random' ? shard > drained : shard !== target))
    return { places, target, sources }
  }

  #watched(): DynamoDBClient {
    const { plain } = this
    const send = async (command: AnyCommand, options?: object) => {
      const operation = operationOf(command)
      await this.beforeRequest(operation, command.input)
      return this.answerInstead(operation, command.input) ?? plain.send(command as never, options)
    }
    return Object.create(plain, { send: { value: send } })
  }

  /** The items of both tables, as the application sees them. */
  async contents(): Promise<{
    readonly sharded: readonly StoredItem[]
    readonly plain: readonly StoredItem[]
  }> {
    const { Items: sharded = [] } = await this.db.send(new ScanCommand({ TableName: 'sharded' }))
    const { Items: plain = [] } = await this.plain.send(new ScanCommand({ TableName: 'plain' }))
    return { sharded: sorted(sharded), plain: sorted(plain) }
  }

  /** The items of the unsharded table that both requests use. */
  async elsewhere(): Promise<readonly StoredItem[]> {
    const { Items = [] } = await this.plain.send(new ScanCommand({ TableName: 'other' }))
    return sorted(Items)
  }

  async resetElsewhere(items: readonly StoredItem[]): Promise<void> {
    for (const { customer, order_id } of await this.elsewhere()) {
      if (customer === undefined || order_id === undefined) continue
      await this.plain.send(new DeleteItemCommand({ TableName: 'other', Key: { customer, order_id } }))
    }
    for (const Item of items) await this.plain.send(new PutItemCommand({ TableName: 'other', Item }))
  }

  async #createTable(name: string): Promise<void> {
    await this.plain.send(createTable(name, ['customer', 'order_id']))
  }
}

/** Ignores a failed condition, because another process moved the item first. Throws any other error. */
function refusedOnly(error: unknown): void {
  const isRefusal = error instanceof Error && /^(Transaction|Conditional)/.test(error.name)
  if (!isRefusal) throw error
}

/** Sorts items, because a batch returns them in no particular order. */
export function sorted(items: readonly StoredItem[]): readonly StoredItem[] {
  const text = (item: StoredItem) => JSON.stringify(Object.entries(item).sort())
  return items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
}
