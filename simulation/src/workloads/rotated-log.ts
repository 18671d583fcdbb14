import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ObjectStore, PlainItem, Rotation } from 'isotherm/rotation'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { PlainTable, WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import type { LogRead } from './key-log.js'
import { type LogAccess, type LogRange, sendAppends } from './log-access.js'
import { IDS_A_MILLISECOND, idOf, sortValueOf } from './log-ids.js'
import { pageOf } from './page-of.js'
import { untilAnswered } from './until-answered.js'

export interface RotatedLogOptions {
  readonly world: World
  readonly rotation: Library['rotation']
  /** The tables of the two periods, with the same keys. */
  readonly tables: readonly [WorkloadTable, WorkloadTable]
  readonly runMilliseconds: number
  readonly cacheMilliseconds: number
  /** Archives wait so long for writes that are under way; those that take longer are for the comparison to find. */
  readonly lateMilliseconds: number
}

/** A day has a table, and midnight is in the middle of the run. */
const MIDNIGHT = 86_400_000
export const ROTATED_NAMES = ['log_1970-01-01', 'log_1970-01-02'] as const
export const CATALOG: PlainTable = { name: 'log_periods', partitionKey: 'name', sortKey: 'period' }

const PAGE_ITEMS = 100
const MAX_ARCHIVES = 10

/** A log with a table for each period, as the module has it: by the time that is in an item's id, which its writer's calendar gave it. */
export class RotatedLog {
  readonly #options: RotatedLogOptions
  /** One for all processes, as a bucket is. */
  readonly #objects = new Map<string, Uint8Array>()
  #archivedAt: number | undefined

  constructor(options: RotatedLogOptions) {
    this.#options = options
  }

  /** How a process gets at it. */
  access(process: Process, db: DynamoDBClient): LogAccess {
    const log = this.open(process, db)
    // The tables were there before anybody listed them.
    let adopting: Promise<unknown> | undefined
    const adopted = () => {
      adopting ??= untilAnswered(process, () => log.adopt(0))
      return adopting
    }
    return {
      append: async (items) => {
        await adopted()
        const beganAt = this.#options.world.now
        const left = await this.#append(log, db, items)
        this.#checkOpen(items, beganAt)
        return left
      },
      read: async (range) => {
        await adopted()
        return this.#read(process, log, range)
      },
    }
  }

  async #append(
    log: Rotation,
    db: DynamoDBClient,
    items: readonly Attributes[],
  ): Promise<ReadonlySet<number>> {
    const [first, ...others] = items
    if (first === undefined || others.length > 0)
      return sendAppends(db, this.#options.tables[0], items, (item) => log.tableFor(plain(item)))
    await log.put(plain(first))
    return new Set()
  }

  /** The module, for one process. */
  open({ clock, random }: Process, db: DynamoDBClient): Rotation {
    const { rotation, tables, world, cacheMilliseconds, lateMilliseconds } = this.#options
    const [{ partitionKey, sortKey, sortType }] = tables
    return rotation(db, {
      table: 'log',
      partitionKey,
      sortKey,
      period: 'day',
      time: {
        type: sortType,
        toMilliseconds: (id) => this.#base + Number(id) / IDS_A_MILLISECOND,
        first: (milliseconds) => {
          const id = Math.max(0, Math.floor((milliseconds - this.#base) * IDS_A_MILLISECOND))
          return sortType === 'N' ? id : (sortValueOf(keysOf(tables), id).S ?? '')
        },
      },
      cacheTtl: cacheMilliseconds,
      lateRequests: lateMilliseconds,
      clock: {
        now: () => this.#base + clock.now() - (world.now - world.elapsed),
        sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      },
      random,
    })
  }

  /** Archives the first period, as far as it gets. */
  async archive(log: Rotation): Promise<void> {
    try {
      await log.archive(0, { store: this.#store() })
      this.#archivedAt ??= this.#options.world.now
    } catch (error) {
      if (!isRefused(error, ['rotation.not-ready', 'rotation.contended'])) requireExpected(error)
    }
  }

  /**
   * Once the first period was archived: the archive that passes its comparison has what the table has. Moves of items between shards, and
   * writes that came late, may take another one. Without transactions, an item has two copies while it is moved, and an archive may have both.
   *
   * @param read the ids of a key in the first period
   * @throws Violation
   */
  async checkArchive(
    process: Process,
    log: Rotation,
    keys: readonly string[],
    read: (key: string, to: number) => Promise<readonly number[]>,
  ): Promise<void> {
    if (this.#archivedAt === undefined) return
    await this.#untilVerified(process, log)
    const [{ partitionKey, sortKey, sharded }] = this.#options.tables
    const archived: string[] = []
    for await (const item of log.readArchive(0, { store: this.#store() })) {
      const key = String(item[partitionKey])
      // A steady load writes to keys of its own.
      if (keys.includes(key)) archived.push(`${key} ${Number(item[sortKey])}`)
    }
    const stored: string[] = []
    for (const key of keys) {
      const end = Math.floor((MIDNIGHT - this.#base) * IDS_A_MILLISECOND) - 1
      for (const id of await read(key, end)) stored.push(`${key} ${id}`)
    }
    const names = (all: string[]) => (sharded.transactions === false ? [...new Set(all)] : all).sort().join()
    if (names(archived) === names(stored)) return
    const missing = stored.filter((name) => !archived.includes(name))
    const seen = `it has ${archived.length} items of ${stored.length}, and not ${missing.slice(0, 5).join(', ')}`
    throw new Violation('an archive has what its table has', seen)
  }

  async #untilVerified(process: Process, log: Rotation): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        await untilAnswered(process, () => log.archive(0, { store: this.#store() }))
        await untilAnswered(process, () => log.verify(0, { store: this.#store() }))
        return
      } catch (error) {
        // Another process is at it.
        const isPassing = isRefused(error, [
          'rotation.archive-differs',
          'rotation.contended',
          'rotation.not-ready',
        ])
        if (!isPassing || tried >= MAX_ARCHIVES) throw error
        await process.clock.sleep(1_000 * process.random.next())
      }
    }
  }

  /** @throws Violation where a write was taken that began when the period was archived */
  #checkOpen(items: readonly Attributes[], beganAt: number): void {
    const { world, tables } = this.#options
    if (this.#archivedAt === undefined || beganAt <= this.#archivedAt) return
    const end = (MIDNIGHT - this.#base) * IDS_A_MILLISECOND
    const late = items.map((item) => idOf(tables[0], item)).filter((id) => id < end)
    if (late.length === 0) return
    const seen = `${late.join(', ')} was, ${Math.round(world.now - this.#archivedAt)} ms later`
    throw new Violation('an archived period takes no writes', seen, late.map(String))
  }

  async #read(process: Process, log: Rotation, range: LogRange): Promise<LogRead> {
    const { world, tables } = this.#options
    const [{ sortKey }] = tables
    const { key, from, to, forward, consistent, limit = PAGE_ITEMS, staleMilliseconds, maxPages } = range
    const knowsUntil = consistent ? world.now : world.now - staleMilliseconds
    const ids: number[] = []
    const read = (isWhole: boolean): LogRead => ({ ids, forward, from, to, knowsUntil, isWhole })
    const query = {
      key,
      from: this.#base + from / IDS_A_MILLISECOND,
      to: this.#base + (to + 1) / IDS_A_MILLISECOND,
      forward,
      consistent,
      limit,
    }
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages++) {
      const page = await pageOf(process, () => log.query(cursor === undefined ? query : { ...query, cursor }))
      if (page === undefined) return read(false)
      ids.push(...page.items.map((item) => Number(item[sortKey])))
      cursor = page.cursor
      if (cursor === undefined) return read(true)
    }
    return read(false)
  }

  #store(): ObjectStore {
    return {
      put: async (name, bytes) => {
        this.#objects.set(name, bytes)
      },
      get: async (name) => this.#objects.get(name),
      delete: async (name) => {
        this.#objects.delete(name)
      },
    }
  }

  /** The beginning of the load, where midnight is in its middle. */
  get #base(): number {
    return MIDNIGHT - this.#options.runMilliseconds / 2
  }
}

function isRefused(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function keysOf([first]: readonly [WorkloadTable, WorkloadTable]): WorkloadTable {
  return first
}

function plain(item: Attributes): PlainItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, { S, N }]) => [name, N === undefined ? (S ?? '') : Number(N)]),
  )
}
