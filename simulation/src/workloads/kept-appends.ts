import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { type HistoryCounts, historyCounts } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { FollowedRequests } from './followed-requests.js'
import { alone, readTogether, type SentGroup, writeBatch, writeTransaction } from './item-groups.js'
import type { Attributes } from './item-operations.js'
import * as operations from './item-operations.js'
import { type KeptItem, KeptItems } from './kept-items.js'
import {
  appendInBatch,
  appendInTransaction,
  drawnMember,
  drawnOperation,
  removeInBatch,
} from './kept-operations.js'
import { queryOf } from './key-query.js'
import type { Client, Workload } from './workload.js'

export interface KeptAppendsOptions {
  readonly table: WorkloadTable
  readonly operationsPerSecond: number
  readonly queriesPerSecond: number
  readonly processes: number
  /** Logical keys that items are appended to. */
  readonly logs: readonly string[]
  /** Of each key, items that stay; and as many again that are appended and deleted all the while. */
  readonly itemsPerLog: number
  /** How long after it was sent a request may still be carried out. */
  readonly latestMilliseconds: number
}

/** Requests about several items at a time, and how many they are about. */
const SHARE_OF_GROUPS = 0.3
const MAX_TOGETHER = 4

/** Of the requests, those that append where there are few items. */
const SHARE_OF_APPENDS = 0.4

/**
 * Appends that are kept: everybody reads, changes and deletes them by their keys, and queries them, while the counts of the
 * keys change. Each is appended once, so each must behave as if one operation came after the other.
 */
export class KeptAppends implements Workload {
  readonly name = 'kept appends'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: KeptAppendsOptions
  readonly #requests: FollowedRequests<KeptItem>
  readonly #items: KeptItems
  #values = 0

  constructor(world: World, options: KeptAppendsOptions) {
    this.#world = world
    this.#options = options
    this.#requests = new FollowedRequests(world, options.latestMilliseconds)
    this.#items = new KeptItems(options.table, options.itemsPerLog)
    this.tables = [options.table]
  }

  histories(): HistoryCounts {
    return historyCounts(this.#items.begun.map(({ history }) => history))
  }

  existing(): readonly Attributes[] {
    return this.#options.logs.flatMap((log) =>
      this.#items.missing(log, this.#options.itemsPerLog).map((item) => {
        const operation = operations.append('before', item.target, item.value)
        item.history.called(operation)
        item.history.answered(operation, operations.DONE)
        this.#items.answered(item, operation)
        return { ...item.target.key, val: { S: item.value } }
      }),
    )
  }

  begin(process: Process, db: Client): void {
    const { operationsPerSecond, queriesPerSecond, processes } = this.#options
    const seen = new Map<KeptItem, string>()
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
      () => this.#query(process, db, this.#drawnLog(process)),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const log of this.#options.logs) await this.#query(process, db, log)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    const name = `${process.name} at the end`
    for (const log of this.#options.logs) await this.#query(process, db, log)
    for (const item of this.#items.there) {
      await this.#requests.send(process, db, alone(item, operations.get(name, item.target)))
    }
  }

  async #query(process: Process, db: DynamoDBClient, log: string): Promise<void> {
    const items = this.#items.begun.filter((item) => item.log === log)
    const query = queryOf(process, { table: this.#options.table, key: log, items })
    await this.#requests.send(process, db, query)
  }

  async #operate(process: Process, db: DynamoDBClient, seen: Map<KeptItem, string>): Promise<void> {
    const isGroup = process.random.next() < SHARE_OF_GROUPS
    const drawn = isGroup ? this.#drawnGroup(process, seen) : this.#drawnAlone(process, seen)
    if (drawn === undefined) return
    const answers = await this.#requests.send(process, db, drawn)
    for (const [item, operation] of drawn.operations) {
      const answer = answers.get(item)
      if (answer === undefined) continue
      this.#items.answered(item, operation)
      const value = operations.valueIn(answer)
      if (value !== undefined) seen.set(item, value)
    }
  }

  #drawnAlone(process: Process, seen: ReadonlyMap<KeptItem, string>): SentGroup<KeptItem> | undefined {
    const [added] = this.#drawnAppends(process, 1)
    if (added !== undefined) return alone(added, operations.append(process.name, added.target, added.value))
    const item = this.#items.oneOf(process)
    return item && alone(item, drawnOperation(process, item, this.#newValue(), seen.get(item)))
  }

  #drawnGroup(process: Process, seen: ReadonlyMap<KeptItem, string>): SentGroup<KeptItem> | undefined {
    const { name, random } = process
    const items = this.#items.someOf(process, MAX_TOGETHER)
    const draw = random.next()
    if (items.length > 0 && draw < 0.25) return readTogether(name, items, false)
    if (items.length > 0 && draw < 0.45) return readTogether(name, items, true)
    const added = this.#drawnAppends(process, MAX_TOGETHER)
    const members =
      draw < 0.7
        ? [
            ...added.map((item) => appendInBatch(process, item)),
            ...items.filter(({ isLasting }) => !isLasting).map((item) => removeInBatch(process, item)),
          ]
        : []
    if (members.length > 0) return writeBatch(members)
    const actions = [
      ...added.map((item) => appendInTransaction(process, item)),
      ...items.map((item) => drawnMember(process, item, this.#newValue(), seen.get(item))),
    ]
    return actions.length === 0 ? undefined : writeTransaction(actions)
  }

  #drawnAppends(process: Process, atMost: number): readonly KeptItem[] {
    if (process.random.next() >= SHARE_OF_APPENDS) return []
    return this.#items.missing(this.#drawnLog(process), randomInteger(process.random, 1, atMost))
  }

  #newValue(): string {
    this.#values += 1
    return `w${this.#values}`
  }

  #drawnLog({ random }: Process): string {
    const { logs } = this.#options
    return logs[randomInteger(random, 0, logs.length - 1)] ?? ''
  }
}
