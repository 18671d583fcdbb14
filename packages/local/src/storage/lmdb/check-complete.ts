import { truncateSync } from 'node:fs'
import type { Database } from './database.js'

/** A value so long may lie on pages of its own, which have no header that a reader would find wrong. */
const LONGEST_LINK_BYTES = 12

/**
 * Refuses a data file whose end was cut off. The database maps the file, and reading a page that is not there would end
 * the process.
 *
 * A file may rightly end before its last page, when that page was given out and never used. So a short file is filled up
 * with zeros, which no page consists of, and then everything in it is read.
 *
 * @param size how long the file was before it was opened.
 * @throws when something is missing. The file is as it was.
 */
export function checkComplete(database: Database, file: string, size: number): void {
  const end = database.endOfPages
  if (size >= end) return
  truncateSync(file, end)
  try {
    for (const { value } of database.all()) {
      // Neither JSON nor a long key's rest ends with a zero.
      if (value.length > LONGEST_LINK_BYTES && value.at(-1) === 0) throw new Error('a value is incomplete')
    }
  } catch (error) {
    void database.close()
    truncateSync(file, size)
    throw new Error(`it has ${size} bytes, and what is behind them is missing`, { cause: error })
  }
}
