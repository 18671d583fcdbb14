import type { Clock, Random } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { afterwards } from '../storage/afterwards.js'
import { inBackground } from '../storage/in-background.js'
import type { OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { RecordChange, RecordValue } from '../storage/record.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import type { TableState } from '../table/table-state.js'
import type { Catalog } from './catalog.js'
import { closingController } from './closing.js'
import { fill } from './fill.js'
import { FillingTable } from './filling-table.js'

/** A backup of a table: its state at that time, and its items in a keyspace of their own. Plain data. */
export interface BackupState {
  readonly arn: string
  readonly name: string
  readonly region: string
  readonly tableArn: string
  readonly state: TableState
  /** In milliseconds since the epoch. */
  readonly createdAt: number
  readonly complete: boolean
  readonly items: number
  readonly bytes: number
}

/** The dependencies of backups. */
export interface BackupParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly catalog: Catalog
  /** Removes a table that could not be filled. */
  readonly discard: (table: Table, records: readonly RecordChange[]) => Awaitable<void>
}

const RECORD = 'backup/'

/**
 * On-demand backups. Items are copied in portions beside the requests, so a backup does not show all items at one moment:
 * neither does one of the service. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_HowItWorks.html
 */
export class Backups {
  readonly #parts: BackupParts
  readonly #closing = closingController()
  readonly #backups = new Map<string, BackupState>()
  /** The backups whose items are being copied, by new table. */
  readonly #sources = new Map<Table, BackupState>()

  constructor(parts: BackupParts) {
    this.#parts = parts
  }

  /** Loads a stored backup. One that a process has left unfinished is removed. */
  load(value: RecordValue): RecordChange | undefined {
    const backup = value as unknown as BackupState
    if (backup.complete) this.#backups.set(backup.arn, backup)
    return backup.complete ? undefined : recordOf(backup, undefined)
  }

  /**
   * The backups of a region, the oldest first.
   * @param after the ARN of the one before them, which may have been deleted
   */
  list(region: string, after?: string): readonly BackupState[] {
    return [...this.#backups.values()]
      .filter(({ region: of, arn }) => of === region && (after === undefined || compareArns(arn, after) > 0))
      .sort((a, b) => compareArns(a.arn, b.arn))
  }

  get(region: string, arn: string): BackupState | undefined {
    const backup = this.#backups.get(arn)
    return backup?.region === region ? backup : undefined
  }

  /** Whether a backup of the table is being created. Until it is complete, its items are read from the table. */
  isCopying(table: Table): boolean {
    return [...this.#backups.values()].some(({ complete, tableArn }) => !complete && tableArn === table.arn)
  }

  /** Whether a backup is being created, or its items are being copied to a table. */
  isInUse({ arn, complete }: BackupState): boolean {
    return !complete || [...this.#sources.values()].some((source) => source.arn === arn)
  }

  /** Begins a backup. It is complete at once when the table is small and in memory. */
  create(table: Table, name: string): Awaitable<BackupState> {
    const { storage, clock, random } = this.#parts
    const createdAt = clock.now()
    const id = `${String(Math.floor(createdAt)).padStart(14, '0')}-${Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')}`
    const backup: BackupState = {
      arn: `${table.arn}/backup/${id}`,
      name,
      region: table.region,
      tableArn: table.arn,
      state: table.state,
      createdAt,
      complete: false,
      items: table.items.size,
      bytes: table.items.bytes,
    }
    this.#backups.set(backup.arn, backup)
    const keyspace = keyspaceOf(backup)
    const filled = fill({
      items: table.items,
      storage,
      clock,
      signal: this.#closing.signal,
      isStopped: () => !this.#backups.has(backup.arn),
      changeFor: (key, after) => ({ keyspace, key, before: undefined, after }),
    })
    const saved = storage.write([], [recordOf(backup, backup)])
    const completed = afterwards(filled, () => this.#complete(backup))
    if (completed instanceof Promise) completed.catch(() => this.#backups.delete(backup.arn))
    return afterwards(saved, () => this.#backups.get(backup.arn) ?? backup)
  }

  /** Removes a backup with its items. */
  remove(backup: BackupState): Awaitable<void> {
    this.#backups.delete(backup.arn)
    return this.#parts.storage.drop([keyspaceOf(backup)], [recordOf(backup, undefined)])
  }

  /**
   * Fills a new table from a backup. If that fails, the table is removed.
   * @param table in the catalog, and not saved. It is CREATING until it has all items.
   */
  restore(backup: BackupState, table: Table): Awaitable<void> {
    const { storage, clock, discard } = this.#parts
    const { signal } = this.#closing
    const { arn: backupArn, tableArn, createdAt: backupAt } = backup
    table.change({ ...table.state, restored: { backupArn, tableArn, backupAt } }, clock.now())
    const filling = new FillingTable(table, this.#parts)
    const begun = filling.begin()
    this.#sources.set(table, backup)
    const ended = () => void this.#sources.delete(table)
    const items = storage.open(keyspaceOf(backup))
    const filled = afterwards(
      fill({
        items,
        storage,
        clock,
        signal,
        isStopped: () => table.isGone,
        changeFor: (key, after) => missing(table.items, table.keyspace, key, after),
      }),
      () => {
        ended()
        return filling.fillIndexes(signal)
      },
    )
    const completed = flat(afterwards(flat(filled), () => filling.complete()))
    if (completed instanceof Promise) {
      const failed = async (): Promise<void> => {
        ended()
        // The next catalog removes what a closed one has left.
        if (!signal.aborted && !table.isGone) await discard(table, [filling.unmarked])
      }
      inBackground(completed.catch(failed))
    }
    return begun
  }

  /** Stops all copies. */
  close(): void {
    this.#closing.abort()
  }

  #complete(backup: BackupState): Awaitable<void> {
    if (!this.#backups.has(backup.arn)) return
    const { size: items, bytes } = this.#parts.storage.open(keyspaceOf(backup))
    const complete: BackupState = { ...backup, complete: true, items, bytes }
    this.#backups.set(backup.arn, complete)
    return this.#parts.storage.write([], [recordOf(complete, complete)])
  }
}

function keyspaceOf({ arn }: BackupState): string {
  return RECORD + arn
}

/** Compares two backups by their times, with which the last parts of their ARNs begin, and then by all of the ARN. */
function compareArns(a: string, b: string): number {
  const [first, second] = [idOf(a) + a, idOf(b) + b]
  return first < second ? -1 : Number(first > second)
}

function idOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1)
}

function recordOf({ arn }: BackupState, value: BackupState | undefined): RecordChange {
  return { name: RECORD + arn, value: value as unknown as RecordValue | undefined }
}

function missing(map: OrderedMap, keyspace: string, key: EncodedKey, after: StoredItem) {
  return map.latest(key) === undefined ? { keyspace, key, before: undefined, after } : undefined
}

/** A promise of a promise is one promise. */
function flat<T>(result: Awaitable<Awaitable<T>>): Awaitable<T> {
  return result as Awaitable<T>
}
