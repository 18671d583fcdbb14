import { BatchWriteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { idAt, sortValueOf } from './log-ids.js'
import type { Client } from './workload.js'

export interface SteadyLoadOptions {
  readonly table: WorkloadTable
  readonly suffix: 'random' | 'calculated'
  /** Items in one batch; 1 for single puts. */
  readonly batch: number
  readonly itemBytes: number
  /** Items a second, of all processes together. */
  readonly itemsPerSecond: number
  readonly processes: number
}

/** No key of any workload. */
export const STEADY_KEY = 'steady'

/** Of a calculated key: enough that its shards get about as many each. */
const ITEMS = 40

/** Calls of one process that are under way at a time. */
const MAX_CALLS = 30

/** The same load on one key all the while, until it is ended: appends with a random suffix, and else the same items again and again. */
export class SteadyLoad {
  readonly #world: World
  readonly #options: SteadyLoadOptions
  #isOn = true
  #written = 0

  constructor(world: World, options: SteadyLoadOptions) {
    this.#world = world
    this.#options = options
  }

  begin(process: Process, db: Client): void {
    this.#go(process, db).catch((error: unknown) => this.#world.guard(error))
  }

  end(): void {
    this.#isOn = false
  }

  /** Somebody looks at the key now and then. */
  async touch(db: Client): Promise<void> {
    const { name, partitionKey } = this.#options.table
    const query = new QueryCommand({
      TableName: name,
      KeyConditionExpression: '#key = :key',
      ExpressionAttributeNames: { '#key': partitionKey },
      ExpressionAttributeValues: { ':key': { S: STEADY_KEY } },
      Limit: 1,
    })
    await this.#unlessRefused(() => db.send(query))
  }

  async #go({ clock, random }: Process, db: Client): Promise<void> {
    const { itemsPerSecond, processes, batch } = this.#options
    const meanMilliseconds = (1_000 * processes * batch) / itemsPerSecond
    let calls = 0
    while (this.#isOn) {
      await clock.sleep(meanMilliseconds * (0.5 + random.next()))
      if (!this.#isOn || calls >= MAX_CALLS) continue
      calls += 1
      this.#unlessRefused(() => this.#write(db, randomInteger(random, 0, ITEMS - 1)))
        .catch((error: unknown) => this.#world.guard(error))
        .finally(() => {
          calls -= 1
        })
    }
  }

  async #write(db: Client, first: number): Promise<unknown> {
    const { name } = this.#options.table
    const items = Array.from({ length: this.#options.batch }, (_, index) =>
      this.#item((first + index) % ITEMS),
    )
    const [Item] = items
    if (items.length === 1) return db.send(new PutItemCommand({ TableName: name, Item }))
    const puts = items.map((each) => ({ PutRequest: { Item: each } }))
    return db.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }))
  }

  #item(index: number): Attributes {
    const { table, suffix, itemBytes } = this.#options
    this.#written += 1
    const id = suffix === 'random' ? idAt(this.#world.elapsed, this.#written) : index
    return {
      [table.partitionKey]: { S: STEADY_KEY },
      [table.sortKey]: sortValueOf(table, id),
      text: { S: 'x'.repeat(itemBytes) },
    }
  }

  async #unlessRefused(send: () => Promise<unknown>): Promise<void> {
    try {
      await send()
    } catch (error) {
      requireExpected(error)
    }
  }
}
