import type { Key, RangeOptions, RootDatabase } from 'lmdb'
import type { LocalError } from '../../errors/local-error.js'
import { loadLmdb } from './load-lmdb.js'
import { openRow, sealRow } from './sealed-row.js'
import { storedDamage } from './stored-damage.js'

/** Address space reserved for the data. It costs nothing until it is used. */
const MAP_BYTES = 2 ** 40

/** The longest key that LMDB accepts with pages of 4 KB, the smallest page size. */
export const MAX_ROW_KEY_BYTES = 1978

/** One row. Its key has one byte per character, so the order of the texts is the order of the bytes. */
export interface Row {
  readonly key: string
  readonly value: Buffer
}

/** Keys before and after those of all rows. */
const BEFORE_ALL = '\u0000'
const BEHIND_ALL = '\u00ff'

/** The rows to set in a commit, by key. `undefined` removes the row. */
export type RowChanges = ReadonlyMap<string, Buffer | undefined>

/** Options of a data file. */
export interface DatabaseOptions {
  /** Whether a row without a checksum is one of an older version, and not damaged. Default: false. */
  readonly mayHaveUnsealedRows?: boolean
}

/**
 * LMDB as ordered rows of bytes, with transactions that are on disk when their promise resolves.
 *
 * Damage of the file is noticed when it could change what a read returns. Each row has a checksum. A search that is
 * misled by a damaged key ends beside that key. So when a key is missing, and at both ends of a range, the rows beside
 * it are checked as well. LMDB itself has no checksums of pages that this package could turn on.
 *
 * Readers see a transaction only once it is durable. So this uses LMDB's own synchronisation instead of the package's
 * faster one, which shows transactions before they are flushed.
 */
export class Database {
  readonly #file: string
  readonly #rows: RootDatabase<Buffer, Key>
  readonly #mayHaveUnsealedRows: boolean
  /** Called with each error of damage that a read throws. */
  onDamage: (error: LocalError) => void = () => {}

  /** @param file the data file. The lock file beside it holds the table of readers. */
  constructor(file: string, { mayHaveUnsealedRows = false }: DatabaseOptions = {}) {
    this.#file = file
    this.#mayHaveUnsealedRows = mayHaveUnsealedRows
    this.#rows = loadLmdb().open<Buffer, Key>({
      path: file,
      noSubdir: true,
      encoding: 'binary',
      keyEncoder: ROW_KEY_ENCODER,
      mapSize: MAP_BYTES,
      overlappingSync: false,
      // A commit is one batch, and the next begins when it is done, so there is nothing else to gather.
      eventTurnBatching: false,
    })
  }

  /** The end of the last page that was ever allocated. The file may end earlier when that page was never used. */
  get endOfPages(): number {
    const { pageSize, lastPageNumber } = this.#rows.getStats() as { pageSize: number; lastPageNumber: number }
    return (lastPageNumber + 1) * pageSize
  }

  /** All rows. @throws LocalError `storage.damaged` */
  all(): Iterable<Row> {
    return this.range(BEFORE_ALL, BEHIND_ALL)
  }

  /** @throws LocalError `storage.damaged` */
  get(key: string): Buffer | undefined {
    let row: Buffer | undefined
    try {
      row = this.#rows.getBinary(key)
    } catch (error) {
      throw this.damage('a page of it cannot be read', error)
    }
    if (row !== undefined) return this.#opened(key, row)
    this.#checkBeside(key)
    return undefined
  }

  /**
   * The rows from a key (inclusive) to a key (exclusive), in ascending or descending order.
   * @throws LocalError `storage.damaged`
   */
  *range(from: string, to: string, reverse = false): Iterable<Row> {
    const first = reverse ? to : from
    let last = this.#beside(first, !reverse)?.key
    const rows = this.#rows.getRange(boundsOf(first, reverse))[Symbol.iterator]()
    try {
      for (let next = this.#next(rows); next !== undefined; next = this.#next(rows)) {
        const { key } = next
        // A search that a damaged page misleads may begin before the range.
        const isBefore = reverse ? key >= to : key < from
        const isBack = last !== undefined && (reverse ? key >= last : key <= last)
        if (isBefore || isBack) throw this.#disorder(key)
        const isBehind = reverse ? key < from : key >= to
        // The row behind the range is checked as well.
        const value = this.#opened(key, next.value)
        if (isBehind) return
        last = key
        yield { key, value }
      }
    } finally {
      rows.return?.()
    }
    // The walk came to the end of the file's rows, unless a damaged page ended it.
    const end = this.#beside(reverse ? BEFORE_ALL : BEHIND_ALL, !reverse)?.key
    if (end !== last) throw this.#disorder(end ?? first)
  }

  /** All rows from a key on, whatever their order and their checksums: for the search after damage. */
  raw(from: string, reverse: boolean): Iterable<Row> {
    return this.#rows.getRange(boundsOf(from, reverse)).map(({ key, value }) => ({ key: String(key), value }))
  }

  /** Reports and returns the error for a row or a page that is damaged. */
  damage(what: string, cause?: unknown): LocalError {
    const error = storedDamage(this.#file, what, cause)
    this.onDamage(error)
    return error
  }

  /** Makes all changes or none. Resolves when they are on disk. Run one commit at a time. */
  async commit(changes: RowChanges): Promise<void> {
    try {
      await this.#rows.batch(() => {
        for (const [key, value] of changes) {
          if (value === undefined) this.#rows.remove(key)
          else this.#rows.put(key, sealRow(key, value))
        }
      })
    } catch (error) {
      // The package attaches the reason to the error as a rejected promise.
      throw (
        (await (error as { commitError?: Promise<never> }).commitError?.catch((reason) => reason)) ?? error
      )
    } finally {
      this.#rows.resetReadTxn()
    }
  }

  async close(): Promise<void> {
    await this.#rows.close()
  }

  /** Checks that the rows beside a missing key are intact, and where they belong. */
  #checkBeside(key: string): void {
    this.#beside(key, true)
    if (this.#beside(key, false)?.key === key) throw this.#disorder(key)
  }

  /** The last row before a key, or the first one at or behind it. */
  #beside(key: string, isBefore: boolean): Row | undefined {
    const rows = this.#rows.getRange(boundsOf(key, isBefore))[Symbol.iterator]()
    try {
      const row = this.#next(rows)
      if (row === undefined) return undefined
      if (isBefore ? row.key >= key : row.key < key) throw this.#disorder(row.key)
      return { key: row.key, value: this.#opened(row.key, row.value) }
    } finally {
      rows.return?.()
    }
  }

  #next(rows: Iterator<{ key: Key; value: Buffer }>): Row | undefined {
    try {
      const { done, value } = rows.next()
      // The encoder of keys reads texts only.
      return done === true ? undefined : (value as Row)
    } catch (error) {
      throw this.damage('a page of it cannot be read', error)
    }
  }

  #opened(key: string, row: Buffer): Buffer {
    const value = openRow(key, row, this.#mayHaveUnsealedRows)
    if (value === undefined) throw this.damage('a row does not match its checksum')
    return value
  }

  #disorder(key: string): LocalError {
    return this.damage(`rows are missing or out of order near the key ${JSON.stringify(key.slice(0, 100))}`)
  }
}

function boundsOf(start: string, reverse: boolean): RangeOptions {
  return reverse
    ? { start, exclusiveStart: true, end: BEFORE_ALL, inclusiveEnd: true, reverse }
    : { start, end: BEHIND_ALL }
}

const ROW_KEY_ENCODER = {
  writeKey(key: string, target: Buffer, start: number): number {
    if (key.length > MAX_ROW_KEY_BYTES) throw new TypeError('A row key is longer than the database takes.')
    return start + target.write(key, start, 'latin1')
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('latin1', start, end)
  },
}
