import {
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Operation, Queue } from 'isotherm/queue'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItemOf } from './every-item.js'
import { isCancelledByCondition } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { checkJobs, type Job, TOTAL } from './job-check.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface WorkQueueOptions {
  /** With the index of pending jobs. */
  readonly jobs: WorkloadTable
  /** What the work does: one entry for each job. */
  readonly ledger: WorkloadTable
  readonly jobsPerSecond: number
  readonly processes: number
  readonly tenants: readonly string[]
}

export const PENDING_INDEX = 'pending'

const QUEUE = 'queue'
const LEASE_MILLISECONDS = 3_000
const MAX_ATTEMPTS = 12
const SHARE_OF_POISON = 0.03

/** The library shards the index, too. */
const SHARDS = 2

/**
 * How long the index may show nothing that is due, while the table has something: by then every replica has followed. A worker whose clock
 * was ahead has left a lease that ends later by that much.
 */
const MAX_EMPTY_MILLISECONDS = 60_000
const IDLE_MILLISECONDS = 500

interface Payload {
  readonly tenant: string
  readonly n: number
}

/** Keys of the table whose shard counts operators change: those of the first jobs. */
export function firstJobs(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${QUEUE}#job${index + 1}`)
}

/**
 * Jobs in a queue of the library, in a sharded table with a sharded index: enqueued alone, in transactions, and in the order of an
 * entity. Workers crash, are held up beyond their leases, fail, and do not know what became of what they sent.
 */
export class WorkQueue implements Workload {
  readonly name = 'queue'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #library: Library
  readonly #options: WorkQueueOptions
  readonly #jobs = new Map<string, Job>()
  #entities = 0

  constructor(world: World, library: Library, options: WorkQueueOptions) {
    this.#world = world
    this.#library = library
    this.#options = options
    this.tables = [options.jobs, options.ledger]
  }

  existing(): readonly Attributes[] {
    return []
  }

  begin(process: Process, db: Client): void {
    const { jobsPerSecond, processes } = this.#options
    this.#entities += 1
    const entity = `entity${this.#entities}`
    let inOrder = Promise.resolve()
    atRate(
      this.#world,
      process,
      () => jobsPerSecond / processes,
      () => {
        if (process.random.next() < 0.6) return this.#enqueue(process, db, undefined)
        // One after the other, so that their order is known.
        inOrder = inOrder.then(() => (this.#world.isLoading ? this.#enqueue(process, db, entity) : undefined))
        return inOrder
      },
    )
    this.#work(process, db).catch((error: unknown) => this.#world.guard(error))
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const key of firstJobs(this.#options.tenants.length)) await this.#stored(process, db, key)
    await this.#ledger(process, db)
    await this.#workOff(process, db)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    const items = new Map<string, Attributes>()
    for (let looks = 0; ; looks++) {
      const done = await this.#workOff(process, db)
      if (done > 0) looks = 0
      const left: string[] = []
      for (const { id } of this.#jobs.values()) {
        if (items.get(id)?.ended_at !== undefined) continue
        const item = await this.#stored(process, db, `${QUEUE}#${id}`)
        if (item !== undefined) items.set(id, item)
        if (item !== undefined && item.ended_at === undefined) left.push(id)
      }
      if (left.length === 0) break
      if (looks * IDLE_MILLISECONDS > MAX_EMPTY_MILLISECONDS + this.#world.furthestAhead) {
        throw new Violation(
          'an index has what its table has',
          `${left[0]} is pending and not found`,
          left.slice(0, 1),
        )
      }
      await process.clock.sleep(IDLE_MILLISECONDS)
    }
    checkJobs({
      items,
      entries: await this.#ledger(process, db),
      jobs: [...this.#jobs.values()],
      tenants: this.#options.tenants,
    })
  }

  async #enqueue(process: Process, db: Client, entity: string | undefined): Promise<void> {
    const { tenants, ledger } = this.#options
    const tenant = tenants[randomInteger(process.random, 0, tenants.length - 1)] ?? ''
    const n = this.#jobs.size + 1
    const id = `job${n}`
    const isPoison = process.random.next() < SHARE_OF_POISON
    const job: Job = { id, tenant, isPoison, isSure: false }
    this.#jobs.set(id, job)
    const jobs = this.#open(process, db)
    const options = { key: id, ...(entity === undefined ? {} : { entity }) }
    const isWithOthers = entity === undefined && process.random.next() < 0.3
    await untilAnswered(process, async () => {
      if (!isWithOthers) {
        await jobs.enqueue({ tenant, n }, options)
        return
      }
      const { actions } = await jobs.prepare({ tenant, n }, options)
      try {
        const TransactItems = [...actions, entryUpdate(ledger.name, tenant, 'enqueued')]
        await db.send(new TransactWriteItemsCommand({ TransactItems }))
      } catch (error) {
        // An attempt before this one has stored it.
        if (!isCancelledByCondition(error)) throw error
      }
    })
    job.isSure = true
  }

  async #work(process: Process, db: Client): Promise<void> {
    const stop = new AbortController()
    const work = this.#open(process, db).work(this.#handlerOf(process), {
      concurrency: randomInteger(process.random, 1, 3),
      signal: stop.signal,
      // All workers together ask about as often, however many they are.
      pollInterval: IDLE_MILLISECONDS * Math.max(1, this.#options.processes / 2),
      stopTimeout: randomInteger(process.random, 0, 2_000),
    })
    while (this.#world.isLoading) await process.clock.sleep(IDLE_MILLISECONDS)
    stop.abort()
    await work
  }

  /** @returns how many jobs were done, or failed */
  async #workOff(process: Process, db: Client): Promise<number> {
    const options = { concurrency: 5, untilEmpty: true, pollInterval: 100 }
    const { done, failed, dead } = await untilAnswered(process, () =>
      this.#open(process, db).work(this.#handlerOf(process), options),
    )
    return done + failed + dead
  }

  #handlerOf(process: Process) {
    return async ({ id, payload, entity }: Operation<Payload>): Promise<readonly TransactWriteItem[]> => {
      const { clock, random } = process
      const isSlow = this.#world.isLoading && random.next() < 0.1
      await clock.sleep(random.next() * (isSlow ? 2 * LEASE_MILLISECONDS : 100))
      if (this.#jobs.get(id)?.isPoison !== false) throw new Error('poison')
      if (random.next() < 0.05) throw new Error('not now')
      const { tenant, n } = payload
      const { name } = this.#options.ledger
      const effects = [entryUpdate(name, tenant, id), entryUpdate(name, tenant, TOTAL)]
      return entity === undefined ? effects : [...effects, orderUpdate(name, entity, n)]
    }
  }

  async #stored(process: Process, db: Client, key: string): Promise<Attributes | undefined> {
    const { name, partitionKey, sortKey } = this.#options.jobs
    const Key = { [partitionKey]: { S: key }, [sortKey]: { S: 'isotherm:queue' } }
    const read = { TableName: name, Key, ConsistentRead: true }
    return (await untilAnswered(process, () => db.send(new GetItemCommand(read)))).Item
  }

  async #ledger(process: Process, db: Client): Promise<readonly Attributes[]> {
    const { ledger, tenants } = this.#options
    const read = (key: string) =>
      everyItemOf(process, db, { table: ledger.name, partitionKey: 'tenant', key })
    return (await Promise.all(tenants.map(read))).flat()
  }

  #open(process: Process, db: DynamoDBClient): Queue<Payload> {
    const { jobs } = this.#options
    return this.#library.queue<Payload>(db, {
      table: jobs.name,
      partitionKey: jobs.partitionKey,
      sortKey: jobs.sortKey,
      name: QUEUE,
      index: PENDING_INDEX,
      shards: SHARDS,
      lease: LEASE_MILLISECONDS,
      maxAttempts: MAX_ATTEMPTS,
      retryDelay: 100,
      maxRetryDelay: 1_000,
      clock: process.clock,
      random: new SeededRandom(Math.floor(process.random.next() * 2 ** 32)),
    })
  }
}

/** What the work does: it counts, so that doing it twice shows. */
function entryUpdate(ledger: string, tenant: string, entry: string): TransactWriteItem {
  return {
    Update: {
      TableName: ledger,
      Key: { tenant: { S: tenant }, entry: { S: entry } },
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  }
}

/** Refuses what comes out of order: such a job would end as a dead letter that is not poison. */
function orderUpdate(ledger: string, entity: string, n: number): TransactWriteItem {
  return {
    Update: {
      TableName: ledger,
      Key: { tenant: { S: entity }, entry: { S: 'order' } },
      UpdateExpression: 'SET latest = :n',
      ConditionExpression: 'attribute_not_exists(latest) OR latest < :n',
      ExpressionAttributeValues: { ':n': { N: String(n) } },
    },
  }
}
