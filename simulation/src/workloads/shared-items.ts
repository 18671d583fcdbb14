import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { ItemHistory, type ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { mayHaveBeenDone } from './expected-error.js'
import { readTogether, type SentGroup, someOf, writeBatch, writeTransaction } from './item-groups.js'
import type { Attributes, SentOperation, Target } from './item-operations.js'
import * as operations from './item-operations.js'
import type { Client, HistoryCounts, Workload, WorkloadTable } from './workload.js'

export interface SharedItemsOptions {
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly processes: number
  readonly keys: number
  readonly itemsPerKey: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
}

/** Requests about several items at a time, and how many they are about. */
const SHARE_OF_GROUPS = 0.25
const MAX_TOGETHER = 4

interface SharedItem {
  readonly target: Target
  readonly history: ItemHistory
}

/**
 * Upserts, conditional writes, deletions and reads of few items by everybody, while the counts of their keys change: each
 * item must behave as if one operation came after the other.
 */
export class SharedItems implements Workload {
  readonly name = 'shared items'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: SharedItemsOptions
  readonly #items: readonly SharedItem[]
  #values = 0

  constructor(world: World, options: SharedItemsOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
    const { table, keys, itemsPerKey } = options
    this.#items = Array.from({ length: keys * itemsPerKey }, (_, index) => {
      const customer = `customer${index % keys}`
      const order = `order${Math.floor(index / keys)}`
      const key = { [table.partitionKey]: { S: customer }, [table.sortKey]: { S: order } }
      return { target: { table: table.name, key }, history: new ItemHistory([customer, order]) }
    })
  }

  histories(): HistoryCounts {
    const givenUp = this.#items.filter(({ history }) => history.isGivenUp).length
    return { followed: this.#items.length, givenUp }
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
    const { operationsPerSecond, processes } = this.#options
    const seen = new Map<SharedItem, string>()
    atRate(
      this.#world,
      process,
      () => operationsPerSecond / processes,
      () => this.#operate(process, db, seen),
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
    for (const { target, history } of this.#items) {
      const operation = operations.get(`${process.name} at the end`, target)
      history.called(operation)
      history.answered(operation, await operation.send(db))
    }
  }

  async #operate(process: Process, db: DynamoDBClient, seen: Map<SharedItem, string>): Promise<void> {
    if (process.random.next() < SHARE_OF_GROUPS) {
      return this.#sendGroup(process, db, this.#drawnGroup(process, seen), seen)
    }
    const item = this.#items[randomInteger(process.random, 0, this.#items.length - 1)]
    if (item === undefined) return
    const operation = this.#drawn(process, item, seen.get(item))
    const send = async () => new Map([[item, await operation.send(db)]])
    await this.#sendGroup(process, db, { operations: new Map([[item, operation]]), send }, seen)
  }

  /** One operation, or several in one request, each of which is told of the history of its item. */
  async #sendGroup(
    process: Process,
    db: DynamoDBClient,
    { operations, send }: SentGroup<SharedItem>,
    seen: Map<SharedItem, string>,
  ): Promise<void> {
    for (const [{ history }, operation] of operations) history.called(operation)
    const forget = () => {
      for (const [{ history }, operation] of operations) this.#forgetLater(history, operation)
    }
    process.whenCrashed(forget)
    try {
      const answers = await send(db)
      for (const [item, operation] of operations) {
        const answer = answers.get(item)
        if (answer === undefined) item.history.refused(operation)
        else item.history.answered(operation, answer)
        const value = /^(?:is|was) ([^|]+)/.exec(answer ?? '')?.[1]
        if (value !== undefined) seen.set(item, value)
      }
    } catch (error) {
      if (mayHaveBeenDone(error, this.#world)) forget()
      else for (const [{ history }, operation] of operations) history.refused(operation)
    } finally {
      process.notWhenCrashed(forget)
    }
  }

  /** The last attempt may still be on its way; afterwards nobody knows, and nothing can happen any more. */
  #forgetLater(history: ItemHistory, operation: ItemOperation): void {
    history.unanswered(operation)
    this.#world.scheduler.after(this.#options.latestMilliseconds + 1, () => {
      try {
        history.neverAnswered(operation)
      } catch (error) {
        this.#world.guard(error)
      }
    })
  }

  #drawnGroup(process: Process, seen: ReadonlyMap<SharedItem, string>): SentGroup<SharedItem> {
    const items = someOf(process, this.#items, MAX_TOGETHER)
    const draw = process.random.next()
    const newValue = () => `v${++this.#values}`
    if (draw < 0.25) return readTogether(process.name, items, false)
    if (draw < 0.45) return readTogether(process.name, items, true)
    if (draw < 0.7) return writeBatch(process, items, newValue)
    return writeTransaction(process, items, newValue, seen)
  }

  #drawn({ name, random }: Process, { target }: SharedItem, seen: string | undefined): SentOperation {
    const draw = random.next()
    this.#values += 1
    const value = `v${this.#values}`
    if (draw < 0.25) return operations.get(name, target)
    if (draw < 0.3) return operations.put(name, target, value)
    if (draw < 0.4) return operations.overwrite(name, target, value)
    if (draw < 0.5) return operations.create(name, target, value)
    if (draw < 0.55) return operations.replace(name, target, value, seen ?? 'v0')
    if (draw < 0.75) return operations.update(name, target, value)
    return operations.remove(name, target)
  }
}
