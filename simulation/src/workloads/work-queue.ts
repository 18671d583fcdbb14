import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { everyItem, everyItemOf } from './every-item.js'
import { isCancelledByCondition } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { checkJobs, TOTAL, textOf } from './job-check.js'
import { claimJob, entryUpdate, finishJob, LEASE_MILLISECONDS, PENDING } from './job-writes.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface WorkQueueOptions {
  /** With the index of pending jobs, by when they came. */
  readonly jobs: WorkloadTable
  /** What the work does: one entry for each job. */
  readonly ledger: WorkloadTable
  readonly jobsPerSecond: number
  readonly processes: number
  readonly tenants: number
}

export const PENDING_INDEX = 'pending'

/** Jobs that each tenant of an adopted table has before anybody shards it. */
const EXISTING = 10

const IDLE_MILLISECONDS = 500
const WORKERS_AT_EASE = 5

/** How often the index may show nothing that is pending, while the table has something: by then every replica has followed. */
const MAX_EMPTY_LOOKS = 120

/**
 * Jobs that are done once: a job is found by a sparse index, claimed by its version for the time of a lease, and marked as done in
 * the transaction that does its work. Workers crash, are held up beyond their leases, and do not know what became of what
 * they sent.
 */
export class WorkQueue implements Workload {
  readonly name = 'queue'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: WorkQueueOptions
  /** What was enqueued for sure, and by whom it may have been. */
  readonly #sure = new Set<string>()
  readonly #perhaps = new Set<string>()
  #jobs = 0

  constructor(world: World, options: WorkQueueOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.jobs, options.ledger]
  }

  /** Jobs that are done, and the entries of what they did. One that is pending would have to be in the index. */
  existing({ name }: WorkloadTable): readonly Attributes[] {
    const numbers = Array.from({ length: EXISTING }, (_, index) => `old${index}`)
    return this.#tenants().flatMap((tenant): readonly Attributes[] => {
      const key = { tenant: { S: tenant } }
      if (name !== this.#options.jobs.name) {
        const entry = (entry: string, times: number) => ({
          ...key,
          entry: { S: entry },
          applied: { N: String(times) },
        })
        return [...numbers.map((job) => entry(job, 1)), entry(TOTAL, EXISTING)]
      }
      return numbers.map((job) => {
        this.#perhaps.add(`${tenant} ${job}`)
        this.#sure.add(`${tenant} ${job}`)
        return { ...key, job: { S: job }, version: { S: 'old' }, done_by: { S: 'before' } }
      })
    })
  }

  begin(process: Process, db: Client): void {
    const { jobsPerSecond, processes } = this.#options
    atRate(
      this.#world,
      process,
      () => jobsPerSecond / processes,
      () => this.#enqueue(process, db),
    )
    this.#work(process, db).catch((error: unknown) => this.#world.guard(error))
  }

  async touch(process: Process, db: Client): Promise<void> {
    await this.#all(process, db, this.#options.jobs)
    await this.#all(process, db, this.#options.ledger)
    await this.#workOff(process, db, await this.#pending(process, db, undefined))
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (let looks = 0; ; looks++) {
      const found = await this.#pending(process, db, undefined)
      await this.#workOff(process, db, found)
      const left = (await this.#all(process, db, this.#options.jobs)).find(
        ({ pending }) => pending !== undefined,
      )
      if (left === undefined && found.length === 0) break
      if (found.length > 0) looks = 0
      if (looks > MAX_EMPTY_LOOKS) {
        const about = [textOf(left?.tenant), textOf(left?.job)]
        throw new Violation(
          'an index has what its table has',
          `${about.join(' ')} is pending and not found`,
          about,
        )
      }
      await process.clock.sleep(IDLE_MILLISECONDS)
    }
    checkJobs({
      jobs: await this.#all(process, db, this.#options.jobs),
      entries: await this.#all(process, db, this.#options.ledger),
      sure: this.#sure,
      perhaps: this.#perhaps,
      tenants: this.#tenants(),
    })
  }

  /** One item for each job, under a key that its sender made: it may be sent any number of times. */
  async #enqueue(process: Process, db: DynamoDBClient): Promise<void> {
    const tenant = `tenant${randomInteger(process.random, 0, this.#options.tenants - 1)}`
    this.#jobs += 1
    const job = `job${this.#jobs}`
    const name = `${tenant} ${job}`
    this.#perhaps.add(name)
    const Item: Attributes = {
      tenant: { S: tenant },
      job: { S: job },
      pending: { S: PENDING },
      came_at: { N: String(Math.floor(this.#world.elapsed / 1_000)) },
      version: { S: 'new' },
    }
    const put = {
      TableName: this.#options.jobs.name,
      Item,
      ConditionExpression: 'attribute_not_exists(version)',
    }
    const isWithOthers = process.random.next() < 0.3
    await untilAnswered(process, async () => {
      try {
        if (!isWithOthers) await db.send(new PutItemCommand(put))
        else {
          const TransactItems = [{ Put: put }, entryUpdate(this.#options.ledger.name, tenant, 'enqueued')]
          await db.send(new TransactWriteItemsCommand({ TransactItems }))
        }
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException) && !isCancelledByCondition(error)) throw error
      }
    })
    this.#sure.add(name)
  }

  async #work(process: Process, db: DynamoDBClient): Promise<void> {
    while (this.#world.isLoading) {
      const found = await this.#pending(process, db, 10)
      const one = found[randomInteger(process.random, 0, Math.max(0, found.length - 1))]
      if (one !== undefined) await this.#workOff(process, db, [one])
      // All workers together ask about as often, however many they are.
      const idle = IDLE_MILLISECONDS * Math.max(1, this.#options.processes / WORKERS_AT_EASE)
      await process.clock.sleep(idle * process.random.next())
    }
  }

  /** @param limit for the first page only; all of them without one */
  async #pending(process: Process, db: DynamoDBClient, limit: number | undefined) {
    const query = {
      TableName: this.#options.jobs.name,
      IndexName: PENDING_INDEX,
      KeyConditionExpression: 'pending = :yes',
      ExpressionAttributeValues: { ':yes': { S: PENDING } },
      ScanIndexForward: process.random.next() < 0.7,
    }
    if (limit === undefined) return everyItem(process, db, query)
    const first = await untilAnswered(process, () => db.send(new QueryCommand({ ...query, Limit: limit })))
    return first.Items ?? []
  }

  async #workOff(process: Process, db: DynamoDBClient, found: readonly Attributes[]): Promise<void> {
    for (const item of found) {
      const claimed = await claimJob(process, db, { jobs: this.#options.jobs.name, found: item })
      if (claimed === undefined) continue
      const isSlow = this.#world.isLoading && process.random.next() < 0.1
      await process.clock.sleep(process.random.next() * (isSlow ? 2 * LEASE_MILLISECONDS : 100))
      await finishJob(process, db, {
        jobs: this.#options.jobs.name,
        ledger: this.#options.ledger.name,
        claimed,
      })
    }
  }

  async #all(process: Process, db: DynamoDBClient, { name }: WorkloadTable): Promise<readonly Attributes[]> {
    const read = (key: string) => everyItemOf(process, db, { table: name, partitionKey: 'tenant', key })
    return (await Promise.all(this.#tenants().map(read))).flat()
  }

  #tenants(): readonly string[] {
    return Array.from({ length: this.#options.tenants }, (_, index) => `tenant${index}`)
  }
}
