import type { Key, RootDatabase } from 'lmdb'
import { loadLmdb } from './load-lmdb.js'

/** Address space reserved for the data. It costs nothing until it is used. */
const MAP_BYTES = 2 ** 40

/** The longest key that LMDB accepts with pages of 4 KB, the smallest page size. */
export const MAX_ROW_KEY_BYTES = 1978

/** One row. Its key has one byte per character, so the order of the texts is the order of the bytes. */
export interface Row {
  readonly key: string
  readonly value: Buffer
}

/** The rows to set in a commit, by key. `undefined` removes the row. */
export type RowChanges = ReadonlyMap<string, Buffer | undefined>

/**
 * LMDB as ordered rows of bytes, with transactions that are on disk when their promise resolves.
 *
 * Readers see a transaction only once it is durable. So this uses LMDB's own synchronisation instead of the package's
 * faster one, which shows transactions before they are flushed.
 */
export class Database {
  readonly #rows: RootDatabase<Buffer, Key>

  /** @param file the data file. The lock file beside it holds the table of readers. */
  constructor(file: string) {
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

  /** All rows. @throws when a page contradicts the page that refers to it. */
  all(): Iterable<Row> {
    return this.range('\u0000', '\u00ff')
  }

  get(key: string): Buffer | undefined {
    return this.#rows.getBinary(key)
  }

  /** The rows from a key (inclusive) to a key (exclusive), in ascending or descending order. */
  *range(from: string, to: string, reverse = false): Iterable<Row> {
    const bounds = reverse
      ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true, reverse }
      : { start: from, end: to }
    for (const { key, value } of this.#rows.getRange(bounds)) yield { key: String(key), value }
  }

  /** Makes all changes or none. Resolves when they are on disk. Run one commit at a time. */
  async commit(changes: RowChanges): Promise<void> {
    try {
      await this.#rows.batch(() => {
        for (const [key, value] of changes) {
          if (value === undefined) this.#rows.remove(key)
          else this.#rows.put(key, value)
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
