import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { KeyLog } from './key-log.js'
import { type LogReading, readLog } from './log-reader.js'
import type { Profile } from './profile.js'
import type { Client, Workload, WorkloadTable } from './workload.js'

export interface AppendLogOptions {
  readonly table: WorkloadTable
  readonly profile: Profile
  /** Writes a second of all processes together, at full load. */
  readonly writesPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly runMilliseconds: number
  /** Bytes of an item beside its keys. */
  readonly itemBytes: number
  /** Items that are written in one batch; 1 for single puts. */
  readonly batch: number
  /** How long an eventually consistent query may not know of an item, at most. */
  readonly staleMilliseconds: number
  /** Write units a second that one partition takes. */
  readonly partitionUnits: number
}

/** Items that each key of an adopted table has before anybody shards it. */
const EXISTING = 20

/** How often an application tries again what may not have been done. */
const MAX_TRIES = 3

/**
 * The library counts in windows of so long, and takes a key for harmless that offers less than a quarter of what a partition
 * takes. To be sure of it, a neighbour has less in a much longer time.
 */
const WINDOW_MILLISECONDS = 5_000
const QUIET_MILLISECONDS = 30_000
const HARMLESS_SHARE = 0.2

/** Appends to keys of very different heat, and readings of them while they grow. Every append must be read once. */
export class AppendLog implements Workload {
  readonly name: string
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: AppendLogOptions
  readonly #logs: readonly KeyLog[]
  #written = 0

  constructor(world: World, options: AppendLogOptions) {
    this.#world = world
    this.#options = options
    this.name = options.batch > 1 ? `bulk import, ${options.profile.name}` : options.profile.name
    this.tables = [options.table]
    this.#logs = Array.from({ length: options.profile.keys }, (_, index) => new KeyLog(`key${index}`))
  }

  existing(): readonly Attributes[] {
    return this.#logs.flatMap((log) =>
      Array.from({ length: EXISTING }, (_, id) => {
        log.begun(id)
        log.acknowledged(id, this.#world.now)
        return this.#item(log.key, id, 'before')
      }),
    )
  }

  begin(process: Process, db: Client): void {
    const { profile, writesPerSecond, readsPerSecond, processes, batch } = this.#options
    atRate(
      this.#world,
      process,
      () => (writesPerSecond * profile.load(this.#passed())) / processes / batch,
      () => this.#append(process, db),
    )
    atRate(
      this.#world,
      process,
      () => readsPerSecond / processes,
      () => this.#read(process, db),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const log of this.#logs) {
      await this.#reading(process, db, log, { forward: true, from: 0, to: 0, limit: 1 })
    }
  }

  mayHaveTwoCopies(key: string): boolean {
    return this.#logs.some((log) => log.key === key && log.hasAmbiguous)
  }

  neighbours(): readonly string[] {
    if (!this.#options.profile.hasColdKeys) return []
    const { partitionUnits, itemBytes } = this.#options
    const units = Math.ceil((itemBytes + 100) / 1_024)
    const few = (HARMLESS_SHARE * partitionUnits * WINDOW_MILLISECONDS) / 1_000 / units
    return this.#logs.slice(1).flatMap((log) => (log.mostIn(QUIET_MILLISECONDS) < few ? [log.key] : []))
  }

  async conclude(process: Process, db: Client): Promise<void> {
    for (const log of this.#logs) {
      for (const forward of [true, false]) {
        const read = await this.#reading(process, db, log, {
          forward,
          from: 0,
          to: Number.MAX_SAFE_INTEGER,
          maxPages: Number.POSITIVE_INFINITY,
        })
        if (!read.isWhole)
          this.#world.fail(
            new Violation('a reading ends', `of ${log.key}, when nothing goes wrong any more`, [log.key]),
          )
        log.check(read, `${process.name} at the end`)
      }
    }
  }

  async #append(process: Process, db: DynamoDBClient): Promise<void> {
    const log = this.#logOf(process)
    const ids = Array.from({ length: this.#options.batch }, () => this.#newId())
    for (const id of ids) log.begun(id)
    for (let tried = 1; tried <= MAX_TRIES; tried++) {
      for (const _id of ids) log.sent(this.#world.now)
      try {
        const left = await this.#send(process, db, log, ids)
        const acknowledgedAt = this.#world.now
        for (const id of ids) if (!left.has(id)) log.acknowledged(id, acknowledgedAt)
        return
      } catch (error) {
        if (!mayHaveBeenDone(error, this.#world)) return
        for (const id of ids) log.ambiguous(id)
        await process.clock.sleep(100 * process.random.next())
      }
    }
  }

  /** @returns those that were not written */
  async #send(
    process: Process,
    db: DynamoDBClient,
    log: KeyLog,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const { name } = this.#options.table
    const items = ids.map((id) => this.#item(log.key, id, process.name))
    const [item] = items
    if (this.#options.batch === 1) {
      await db.send(new PutItemCommand({ TableName: name, Item: item }))
      return new Set()
    }
    const PutRequests = items.map((Item) => ({ PutRequest: { Item } }))
    const output = await db.send(new BatchWriteItemCommand({ RequestItems: { [name]: PutRequests } }))
    const left = output.UnprocessedItems?.[name] ?? []
    return new Set(left.map(({ PutRequest }) => this.#idOf(PutRequest?.Item)))
  }

  async #read(process: Process, db: DynamoDBClient): Promise<void> {
    const log = this.#logOf(process)
    const { random } = process
    const span = random.next() < 0.3 ? this.#world.elapsed : 10_000
    const from = Math.floor(Math.max(0, this.#world.elapsed - span) * IDS_A_MILLISECOND)
    const forward = random.next() < 0.5
    const consistent = random.next() < 0.8
    const limit = random.next() < 0.7 ? randomInteger(random, 1, 40) : undefined
    const read = await this.#reading(process, db, log, {
      forward,
      consistent,
      limit,
      from,
      to: Number.MAX_SAFE_INTEGER,
    })
    log.check(read, process.name)
  }

  #reading(
    process: Process,
    db: DynamoDBClient,
    log: KeyLog,
    how: Pick<LogReading, 'forward' | 'from' | 'to'> & Partial<LogReading>,
  ) {
    const { table, staleMilliseconds } = this.#options
    return readLog(this.#world, process, db, {
      table,
      key: log.key,
      consistent: true,
      limit: undefined,
      staleMilliseconds,
      maxPages: MAX_PAGES,
      keyOf: (id) => this.#sortValue(id),
      idOf: (item) => this.#idOf(item),
      ...how,
    })
  }

  #logOf(process: Process): KeyLog {
    const index = this.#options.profile.key(this.#passed(), process.random.next())
    const log = this.#logs[index]
    if (log === undefined) throw new Error(`The profile has no key ${index}.`)
    return log
  }

  #passed(): number {
    return Math.min(1, this.#world.elapsed / this.#options.runMilliseconds)
  }

  /** In about the order of time, and never twice. */
  #newId(): number {
    this.#written += 1
    return Math.floor(this.#world.elapsed) * IDS_A_MILLISECOND + (this.#written % IDS_A_MILLISECOND)
  }

  #item(key: string, id: number, writer: string): Attributes {
    const { table, itemBytes } = this.#options
    return {
      [table.partitionKey]: { S: key },
      [table.sortKey]: this.#sortValue(id),
      writer: { S: writer },
      text: { S: 'x'.repeat(itemBytes) },
    }
  }

  #sortValue(id: number): AttributeValue {
    return this.#options.table.sortType === 'N' ? { N: String(id) } : { S: String(id).padStart(16, '0') }
  }

  #idOf(item: Record<string, AttributeValue> | undefined): number {
    const value = item?.[this.#options.table.sortKey]
    return Number(value?.N ?? value?.S)
  }
}

const IDS_A_MILLISECOND = 1_000

/** Of one reading while the load lasts; one that is cut short has checked what it read. */
const MAX_PAGES = 20
