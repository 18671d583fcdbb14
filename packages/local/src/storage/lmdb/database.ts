import type { Key, RootDatabase } from 'lmdb'
import { loadLmdb } from './load-lmdb.js'

/** Room for the data in the address space; it costs nothing until it is used. */
const MAP_BYTES = 2 ** 40

/** The longest key that LMDB takes where pages have 4 KB, which is where they are smallest. */
export const MAX_ROW_KEY_BYTES = 1978

/** One row: a key of one byte a character, so that the order of texts is the order of bytes, and bytes. */
export interface Row {
  readonly key: string
  readonly value: Buffer
}

/** What shall be where after a commit; nothing removes the row. */
export type RowChanges = ReadonlyMap<string, Buffer | undefined>

/**
 * LMDB as ordered rows of bytes, with transactions that are on the disk when their promise resolves.
 *
 * Readers see a transaction only once it is durable. That is why LMDB's own way of syncing is used, and not the faster
 * one of this package, which shows transactions before they are flushed.
 */
export class Database {
  readonly #rows: RootDatabase<Buffer, Key>

  /** @param file the data file; another one beside it holds the table of readers. */
  constructor(file: string) {
    this.#rows = loadLmdb().open<Buffer, Key>({
      path: file,
      noSubdir: true,
      encoding: 'binary',
      keyEncoder: ROW_KEY_ENCODER,
      mapSize: MAP_BYTES,
      overlappingSync: false,
      // A commit is one batch, and the next begins when it is done: nothing else is to be gathered.
      eventTurnBatching: false,
    })
  }

  /** Where the last page ends that was ever given out. The file may end before it when that page was never used. */
  get endOfPages(): number {
    const { pageSize, lastPageNumber } = this.#rows.getStats() as { pageSize: number; lastPageNumber: number }
    return (lastPageNumber + 1) * pageSize
  }

  /** Every row there is. @throws when a page is not what the page before it says. */
  all(): Iterable<Row> {
    return this.range('\u0000', '\u00ff')
  }

  get(key: string): Buffer | undefined {
    return this.#rows.getBinary(key)
  }

  /** The rows from a key, included, to a key, excluded; in order or against it. */
  *range(from: string, to: string, reverse = false): Iterable<Row> {
    const bounds = reverse
      ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true, reverse }
      : { start: from, end: to }
    for (const { key, value } of this.#rows.getRange(bounds)) yield { key: String(key), value }
  }

  /** Makes all changes or none; resolves when they are on the disk. One at a time. */
  async commit(changes: RowChanges): Promise<void> {
    try {
      await this.#rows.batch(() => {
        for (const [key, value] of changes) {
          if (value === undefined) this.#rows.remove(key)
          else this.#rows.put(key, value)
        }
      })
    } catch (error) {
      // The package hands out the reason as a promise beside the error.
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
