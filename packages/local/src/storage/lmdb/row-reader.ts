import type { Key, RangeOptions, RootDatabase, Transaction } from 'lmdb'
import type { LocalError } from '../../errors/local-error.js'
import { openRow } from './sealed-row.js'
import { storedDamage } from './stored-damage.js'

/** One row. Its key has one byte per character, so the order of the texts is the order of the bytes. */
export interface Row {
  readonly key: string
  readonly value: Buffer
}

/** The source of rows. */
export interface RowSource {
  /** The data file, for errors. */
  readonly file: string
  readonly rows: RootDatabase<Buffer, Key>
  /** Whether a row without a checksum is one of an older version, and not damaged. */
  readonly mayHaveUnsealedRows: boolean
}

/** Keys before and after those of all rows. */
const BEFORE_ALL = '\u0000'
const BEHIND_ALL = '\u00ff'

/**
 * Reads the rows of a data file: the latest durable ones, or those of one transaction.
 *
 * Damage of the file is noticed when it could change what a read returns. Each row has a checksum. A search that is
 * misled by a damaged key ends beside that key. So when a key is missing, and at both ends of a range, the rows beside
 * it are checked as well. LMDB itself has no checksums of pages that this package could turn on.
 */
export class RowReader {
  readonly #file: string
  readonly #rows: RootDatabase<Buffer, Key>
  /** Whether a row without a checksum is one of an older version, and not damaged. */
  readonly mayHaveUnsealedRows: boolean
  readonly #read: { readonly transaction: Transaction } | undefined
  /** Called with each error of damage that a read throws. */
  onDamage: (error: LocalError) => void = () => {}

  /** @param transaction the one whose rows are read. Without it, each read sees the latest rows. */
  constructor({ file, rows, mayHaveUnsealedRows }: RowSource, transaction?: Transaction) {
    this.#file = file
    this.#rows = rows
    this.mayHaveUnsealedRows = mayHaveUnsealedRows
    this.#read = transaction === undefined ? undefined : { transaction }
  }

  /** All rows. @throws LocalError `storage.damaged` */
  all(): Iterable<Row> {
    return this.range(BEFORE_ALL, BEHIND_ALL)
  }

  /** @throws LocalError `storage.damaged` */
  get(key: string): Buffer | undefined {
    let row: Buffer | undefined
    try {
      row = this.#rows.get(key, this.#read)
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
    const rows = this.#rows.getRange(this.#from(first, reverse))[Symbol.iterator]()
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
    return this.#rows
      .getRange(this.#from(from, reverse))
      .map(({ key, value }) => ({ key: String(key), value }))
  }

  /** Reports and returns the error for a row or a page that is damaged. */
  damage(what: string, cause?: unknown): LocalError {
    const error = storedDamage(this.#file, what, cause)
    this.onDamage(error)
    return error
  }

  /** Checks that the rows beside a missing key are intact, and where they belong. */
  #checkBeside(key: string): void {
    this.#beside(key, true)
    if (this.#beside(key, false)?.key === key) throw this.#disorder(key)
  }

  /** The last row before a key, or the first one at or behind it. */
  #beside(key: string, isBefore: boolean): Row | undefined {
    const rows = this.#rows.getRange(this.#from(key, isBefore))[Symbol.iterator]()
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
    const value = openRow(key, row, this.mayHaveUnsealedRows)
    if (value === undefined) throw this.damage('a row does not match its checksum')
    return value
  }

  #disorder(key: string): LocalError {
    return this.damage(`rows are missing or out of order near the key ${JSON.stringify(key.slice(0, 100))}`)
  }

  #from(start: string, reverse: boolean): RangeOptions {
    const bounds = boundsOf(start, reverse)
    return this.#read === undefined ? bounds : { ...bounds, ...this.#read }
  }
}

function boundsOf(start: string, reverse: boolean): RangeOptions {
  return reverse
    ? { start, exclusiveStart: true, end: BEFORE_ALL, inclusiveEnd: true, reverse }
    : { start, end: BEHIND_ALL }
}
