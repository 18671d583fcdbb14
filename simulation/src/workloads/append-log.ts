import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { sendAppends } from './append-items.js'
import { atRate } from './at-rate.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { KeyLog } from './key-log.js'
import { idAt, idOf, sortValueOf } from './log-ids.js'
import { type LogReading, readLog } from './log-reader.js'
import { type Period, readPeriods } from './periods.js'
import type { Profile } from './profile.js'
import type { Client, Workload } from './workload.js'

export interface AppendLogOptions {
  /** One table for everything, or one for each period of time. */
  readonly periods: readonly [Period, ...Period[]]
  readonly profile: Profile
  /** Writes a second of all processes together, at full load. */
  readonly writesPerSecond: number
  readonly readsPerSecond: number
  /** Of the appends, those that are sent without the library, as they may be to an adopted table. */
  readonly plainShare: number
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

/** How often an application sends what may not have been done, or was left out of a batch. */
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
    this.name = options.profile.name
    this.tables = options.periods.map(({ table }) => table)
    this.#logs = Array.from({ length: options.profile.keys }, (_, index) => new KeyLog(`key${index}`))
  }

  /** In the first table: what is older than the load belongs to no later period. */
  existing({ name }: WorkloadTable): readonly Attributes[] {
    if (name !== this.#first.name) return []
    return this.#logs.flatMap((log) =>
      Array.from({ length: EXISTING }, (_, id) => {
        log.begun(id)
        log.acknowledged(id, this.#world.now)
        return this.#item(log.key, id, 'before')
      }),
    )
  }

  begin(process: Process, db: Client, plain: DynamoDBClient): void {
    const { profile, writesPerSecond, readsPerSecond, plainShare, processes, batch } = this.#options
    const isPlain = () => plainShare > 0 && process.random.next() < plainShare
    atRate(
      this.#world,
      process,
      () => (writesPerSecond * profile.load(this.#passed())) / processes / batch,
      () => this.#append(process, isPlain() ? plain : db),
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
      for (const { from } of this.#options.periods) {
        await this.#reading(process, db, log, { forward: true, from, to: from, limit: 1 })
      }
    }
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
    let ids = Array.from({ length: this.#options.batch }, () => this.#newId(process))
    for (const id of ids) log.begun(id)
    for (let tried = 1; ids.length > 0 && tried <= MAX_TRIES; tried++) {
      if (tried > 1) await process.clock.sleep(100 * process.random.next())
      for (const _id of ids) log.sent(this.#world.now)
      try {
        const items = ids.map((id) => this.#item(log.key, id, process.name))
        const left = await sendAppends(db, this.#options.periods, items)
        const acknowledgedAt = this.#world.now
        for (const id of ids) if (!left.has(id)) log.acknowledged(id, acknowledgedAt)
        // What was left out was not written: to send it again makes no second copy.
        ids = ids.filter((id) => left.has(id))
      } catch (error) {
        if (!mayHaveBeenDone(error, this.#world)) return
        if (tried < MAX_TRIES) for (const id of ids) log.ambiguous(id)
      }
    }
  }

  async #read(process: Process, db: DynamoDBClient): Promise<void> {
    const log = this.#logOf(process)
    const { random } = process
    const span = random.next() < 0.3 ? this.#world.elapsed : 10_000
    const from = idAt(Math.max(0, this.#world.elapsed - span))
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
    const { periods, staleMilliseconds } = this.#options
    return readPeriods(periods, how, (table, from, to) =>
      readLog(this.#world, process, db, {
        key: log.key,
        consistent: true,
        limit: undefined,
        staleMilliseconds,
        maxPages: MAX_PAGES,
        keyOf: (id) => sortValueOf(this.#first, id),
        idOf: (item) => idOf(this.#first, item),
        ...how,
        table,
        from,
        to,
      }),
    )
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

  /**
   * In about the order of time, and never twice. Where each period has a table, the time is that of the writer's calendar:
   * it says which table the item belongs to, however late it comes there.
   */
  #newId(process: Process): number {
    this.#written += 1
    const bornAt = this.#world.now - this.#world.elapsed
    const elapsed = this.tables.length > 1 ? process.clock.now() - bornAt : this.#world.elapsed
    // The first millisecond is that of the existing items, and a calendar may be behind it.
    return idAt(Math.max(1, elapsed), this.#written)
  }

  #item(key: string, id: number, writer: string): Attributes {
    const { itemBytes } = this.#options
    const { partitionKey, sortKey } = this.#first
    return {
      [partitionKey]: { S: key },
      [sortKey]: sortValueOf(this.#first, id),
      writer: { S: writer },
      text: { S: 'x'.repeat(itemBytes) },
    }
  }

  /** All of them have the same keys. */
  get #first(): WorkloadTable {
    return this.#options.periods[0].table
  }
}

/** Of one reading while the load lasts; one that is cut short has checked what it read. */
const MAX_PAGES = 20
