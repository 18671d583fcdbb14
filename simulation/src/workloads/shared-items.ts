import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { type HistoryCounts, historyCounts, ItemHistory } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import * as batch from './batch-operations.js'
import { type FollowedItem, FollowedRequests } from './followed-requests.js'
import { alone, readTogether, type SentGroup, someOf, writeBatch, writeTransaction } from './item-groups.js'
import type { Attributes, SentOperation } from './item-operations.js'
import * as operations from './item-operations.js'
import { queryOf } from './key-query.js'
import * as transaction from './transact-operations.js'
import type { Client, Workload } from './workload.js'

export interface SharedItemsOptions {
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly queriesPerSecond: number
  readonly processes: number
  readonly keys: number
  readonly itemsPerKey: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
}

/** Requests about several items at a time, and how many they are about. */
const SHARE_OF_GROUPS = 0.25
const MAX_TOGETHER = 4

/**
 * Upserts, conditional writes, deletions and reads of few items by everybody, and queries of their keys, while the counts
 * of the keys change: each item must behave as if one operation came after the other.
 */
export class SharedItems implements Workload {
  readonly name = 'shared items'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: SharedItemsOptions
  readonly #items: readonly FollowedItem[]
  readonly #requests: FollowedRequests<FollowedItem>
  #values = 0

  constructor(world: World, options: SharedItemsOptions) {
    this.#world = world
    this.#options = options
    this.#requests = new FollowedRequests(world, options.latestMilliseconds)
    this.tables = [options.table]
    const { table, keys, itemsPerKey } = options
    this.#items = Array.from({ length: keys * itemsPerKey }, (_, index) => {
      const customer = customerOf(index % keys)
      const order = `order${Math.floor(index / keys)}`
      const key = { [table.partitionKey]: { S: customer }, [table.sortKey]: { S: order } }
      return { target: { table: table.name, key }, history: new ItemHistory([customer, order]) }
    })
  }

  histories(): HistoryCounts {
    return historyCounts(this.#items.map(({ history }) => history))
  }

  existing(): readonly Attributes[] {
    return this.#items.map(({ target, history }) => {
      const operation = operations.overwrite('before', target, 'v0')
      history.called(operation)
      history.answered(operation, 'done')
      return { ...target.key, val: { S: 'v0' } }
    })
  }

  begin(process: Process, db: Client): void {
    const { operationsPerSecond, queriesPerSecond, processes } = this.#options
    const seen = new Map<FollowedItem, string>()
    atRate(
      this.#world,
      process,
      () => operationsPerSecond / processes,
      () => this.#operate(process, db, seen),
    )
    atRate(
      this.#world,
      process,
      () => queriesPerSecond / processes,
      () => this.#query(process, db, randomInteger(process.random, 0, this.#options.keys - 1)),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const { target } of this.#items.slice(0, this.#options.keys)) {
      await operations.get(process.name, target).send(db)
    }
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (let key = 0; key < this.#options.keys; key++) await this.#query(process, db, key)
    for (const { target, history } of this.#items) {
      const operation = operations.get(`${process.name} at the end`, target)
      history.called(operation)
      history.answered(operation, await operation.send(db))
    }
  }

  async #query(process: Process, db: DynamoDBClient, number: number): Promise<void> {
    const { table, keys } = this.#options
    const items = this.#items.filter((_, index) => index % keys === number)
    await this.#requests.send(process, db, queryOf(process, { table, key: customerOf(number), items }))
  }

  async #operate(process: Process, db: DynamoDBClient, seen: Map<FollowedItem, string>): Promise<void> {
    const drawn =
      process.random.next() < SHARE_OF_GROUPS
        ? this.#drawnGroup(process, seen)
        : this.#drawnAlone(process, seen)
    const answers = await this.#requests.send(process, db, drawn)
    for (const [item, answer] of answers) {
      const value = operations.valueIn(answer)
      if (value !== undefined) seen.set(item, value)
    }
  }

  #drawnAlone(process: Process, seen: ReadonlyMap<FollowedItem, string>): SentGroup<FollowedItem> {
    const item = this.#items[randomInteger(process.random, 0, this.#items.length - 1)]
    if (item === undefined) throw new Error('There is an item at least.')
    return alone(item, this.#drawn(process, item, seen.get(item)))
  }

  #drawnGroup(process: Process, seen: ReadonlyMap<FollowedItem, string>): SentGroup<FollowedItem> {
    const { name, random } = process
    const items = someOf(process, this.#items, MAX_TOGETHER)
    const draw = random.next()
    if (draw < 0.25) return readTogether(name, items, false)
    if (draw < 0.45) return readTogether(name, items, true)
    if (draw < 0.7) return writeBatch(items.map((item) => ({ item, ...this.#inBatch(process, item) })))
    const members = items.map((item) => ({ item, ...this.#inTransaction(process, item, seen.get(item)) }))
    return writeTransaction(members)
  }

  #inBatch({ name, random }: Process, { target }: FollowedItem): batch.BatchOperation {
    const value = this.#newValue()
    return random.next() < 0.6 ? batch.put(name, target, value) : batch.remove(name, target)
  }

  #inTransaction(
    { name, random }: Process,
    { target }: FollowedItem,
    seen = 'v0',
  ): transaction.TransactOperation {
    const draw = random.next()
    const value = this.#newValue()
    if (draw < 0.3) return transaction.create(name, target, value)
    if (draw < 0.45) return transaction.update(name, target, value)
    if (draw < 0.6) return transaction.remove(name, target)
    if (draw < 0.8) return transaction.check(name, target, seen)
    return transaction.replace(name, target, value, seen)
  }

  #newValue(): string {
    this.#values += 1
    return `v${this.#values}`
  }

  #drawn({ name, random }: Process, { target }: FollowedItem, seen: string | undefined): SentOperation {
    const draw = random.next()
    const value = this.#newValue()
    if (draw < 0.25) return operations.get(name, target)
    if (draw < 0.3) return operations.put(name, target, value)
    if (draw < 0.4) return operations.overwrite(name, target, value)
    if (draw < 0.5) return operations.create(name, target, value)
    if (draw < 0.55) return operations.replace(name, target, value, seen ?? 'v0')
    if (draw < 0.75) return operations.update(name, target, value)
    return operations.remove(name, target)
  }
}

function customerOf(number: number): string {
  return `customer${number}`
}
