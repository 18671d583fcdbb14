import { truncateSync } from 'node:fs'
import type { Database } from './database.js'

/** A longer value may lie on overflow pages, which have no header that a reader would find invalid. */
const LONGEST_LINK_BYTES = 12

/**
 * Rejects a data file that is truncated. The database maps the file, so reading a missing page would end the process.
 *
 * A valid file may end before its last page, when that page was allocated and never used. So a short file is padded
 * with zeros, and then everything in it is read. No page consists of zeros only.
 *
 * @param size the file's size before it was opened.
 * @throws when a page is missing. The file is left unchanged.
 */
export function checkComplete(database: Database, file: string, size: number): void {
  const end = database.endOfPages
  if (size >= end) return
  truncateSync(file, end)
  try {
    for (const { value } of database.all()) {
      // Neither JSON nor the rest of a long key ends with a zero byte.
      if (value.length > LONGEST_LINK_BYTES && value.at(-1) === 0) throw new Error('a value is incomplete')
    }
  } catch (error) {
    void database.close()
    truncateSync(file, size)
    throw new Error(`it has ${size} bytes, and what is behind them is missing`, { cause: error })
  }
}
