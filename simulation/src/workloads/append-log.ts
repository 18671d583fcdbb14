import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { PlainTable, WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { KeyLog } from './key-log.js'
import { type LogAccess, type LogRange, singleTable } from './log-access.js'
import { idAt, sortValueOf } from './log-ids.js'
import type { Profile } from './profile.js'
import { CATALOG, type RotatedLog } from './rotated-log.js'
import type { Client, Workload } from './workload.js'

export interface AppendLogOptions {
  /** One table for everything, or one for each period of time. They have the same keys. */
  readonly tables: readonly [WorkloadTable, ...WorkloadTable[]]
  /** How a log with several tables is used. */
  readonly rotated?: RotatedLog | undefined
  /** Whether the first period is archived while the load lasts, or a little later. */
  readonly archives?: boolean
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
  /** Whether the items of a batch have different keys. */
  readonly mixesKeys: boolean
  /** How long an eventually consistent query may not know of an item, at most. */
  readonly staleMilliseconds: number
  /** Write units a second that one partition takes. */
  readonly partitionUnits: number
}

/** Items that each key of an adopted table has before anybody shards it. */
const EXISTING = 20

/** Of the appends to a table for each period, those that come much later than their time. */
const SHARE_OF_OFFLINE = 0.1

/** How often each process tries to archive the period that is over. */
const ARCHIVE_TRIES = 6

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
  readonly plainTables: readonly PlainTable[]
  readonly #world: World
  readonly #options: AppendLogOptions
  readonly #logs: readonly KeyLog[]
  #written = 0

  constructor(world: World, options: AppendLogOptions) {
    this.#world = world
    this.#options = options
    this.name = options.profile.name
    this.tables = options.tables
    this.plainTables = options.rotated === undefined ? [] : [CATALOG]
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
    const [sharded, bare] = [this.#access(process, db), this.#access(process, plain)]
    atRate(
      this.#world,
      process,
      () => (writesPerSecond * profile.load(this.#passed())) / processes / batch,
      () => this.#append(process, isPlain() ? bare : sharded),
    )
    atRate(
      this.#world,
      process,
      () => readsPerSecond / processes,
      () => this.#read(process, sharded),
    )
    this.#archive(process, db)
  }

  async touch(process: Process, db: Client): Promise<void> {
    const access = this.#access(process, db)
    for (const log of this.#logs) {
      for (const from of this.tables.length === 1 ? [0] : [0, idAt(this.#options.runMilliseconds / 2)]) {
        await this.#reading(access, log, { forward: true, from, to: from, limit: 1 })
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
    const access = this.#access(process, db)
    for (const log of this.#logs) {
      for (const forward of [true, false]) {
        const read = await this.#reading(access, log, {
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
    const { rotated } = this.#options
    const keys = this.#logs.map(({ key }) => key)
    await rotated?.checkArchive(process, rotated.open(process, db), keys, async (key, to) => {
      const log = this.#logs.find((each) => each.key === key) ?? new KeyLog(key)
      const whole = { forward: true, from: 0, to, maxPages: Number.POSITIVE_INFINITY }
      return (await this.#reading(access, log, whole)).ids
    })
  }

  #access(process: Process, db: DynamoDBClient): LogAccess {
    const { rotated, tables } = this.#options
    return rotated?.access(process, db) ?? singleTable(this.#world, process, db, tables[0])
  }

  /** From when it is over by the calendar of the process. Several processes may be at it, one after the other. */
  #archive(process: Process, db: DynamoDBClient): void {
    const { rotated, archives, runMilliseconds } = this.#options
    if (rotated === undefined || archives !== true) return
    const log = rotated.open(process, db)
    const go = async () => {
      for (let tried = 0; tried < ARCHIVE_TRIES; tried++) {
        await process.clock.sleep(runMilliseconds * (tried === 0 ? 0.4 : 0.1) * (1 + process.random.next()))
        await rotated.archive(log)
      }
    }
    go().catch((error: unknown) => this.#world.guard(error))
  }

  async #append(process: Process, access: LogAccess): Promise<void> {
    const { batch, mixesKeys } = this.#options
    const one = this.#logOf(process)
    let appends = Array.from({ length: batch }, () => ({
      log: mixesKeys ? this.#logOf(process) : one,
      id: this.#newId(process),
    }))
    for (const { log, id } of appends) log.begun(id)
    for (let tried = 1; appends.length > 0 && tried <= MAX_TRIES; tried++) {
      if (tried > 1) await process.clock.sleep(100 * process.random.next())
      for (const { log } of appends) log.sent(this.#world.now)
      try {
        const items = appends.map(({ log, id }) => this.#item(log.key, id, process.name))
        const left = await access.append(items)
        const acknowledgedAt = this.#world.now
        for (const { log, id } of appends) if (!left.has(id)) log.acknowledged(id, acknowledgedAt)
        // What was left out was not written: to send it again makes no second copy.
        appends = appends.filter(({ id }) => left.has(id))
      } catch (error) {
        if (!mayHaveBeenDone(error, this.#world)) return
        if (tried < MAX_TRIES) for (const { log, id } of appends) log.ambiguous(id)
      }
    }
  }

  async #read(process: Process, access: LogAccess): Promise<void> {
    const log = this.#logOf(process)
    const { random } = process
    const span = random.next() < 0.3 ? this.#world.elapsed : 10_000
    const from = idAt(Math.max(0, this.#world.elapsed - span))
    const forward = random.next() < 0.5
    const consistent = random.next() < 0.8
    const limit = random.next() < 0.7 ? randomInteger(random, 1, 40) : undefined
    const read = await this.#reading(access, log, {
      forward,
      consistent,
      limit,
      from,
      to: Number.MAX_SAFE_INTEGER,
    })
    log.check(read, process.name)
  }

  #reading(
    access: LogAccess,
    log: KeyLog,
    how: Pick<LogRange, 'forward' | 'from' | 'to'> & Partial<LogRange>,
  ) {
    return access.read({
      key: log.key,
      consistent: true,
      limit: undefined,
      staleMilliseconds: this.#options.staleMilliseconds,
      maxPages: MAX_PAGES,
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

  /**
   * In about the order of time, and never twice. Where each period has a table, the time is that of the writer's calendar:
   * it says which table the item belongs to, however late it comes there.
   */
  #newId(process: Process): number {
    this.#written += 1
    const bornAt = this.#world.now - this.#world.elapsed
    const elapsed = this.tables.length > 1 ? process.clock.now() - bornAt : this.#world.elapsed
    const isOffline = this.#options.rotated !== undefined && process.random.next() < SHARE_OF_OFFLINE
    const age = isOffline ? process.random.next() * this.#options.runMilliseconds : 0
    // The first millisecond is that of the existing items, and a calendar may be behind it.
    return idAt(Math.max(1, elapsed - age), this.#written)
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
    return this.#options.tables[0]
  }
}

/** Of one reading while the load lasts; one that is cut short has checked what it read. */
const MAX_PAGES = 20
