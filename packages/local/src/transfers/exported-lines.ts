import { type KeyRange, rangeAfter } from '../keyspace/key-range.js'
import type { KeyspaceView } from '../storage/keyspace-view.js'

/** How much is read from the table before other work gets its turn. */
const MAX_ITEMS = 1_000
const MAX_CHARACTERS = 1024 * 1024

/** Counts of what was exported. */
export interface ExportTally {
  items: number
  /** The size of the items in bytes. */
  bytes: number
}

/** The items of a range as lines of DynamoDB JSON, many lines in each text. */
export function* exportedLines(view: KeyspaceView, range: KeyRange, tally: ExportTally): Iterable<string> {
  let rest = range
  for (;;) {
    let text = ''
    let items = 0
    for (const [key, { item, bytes }] of view.range(rest)) {
      text += `${JSON.stringify({ Item: item })}\n`
      tally.items++
      tally.bytes += bytes
      rest = rangeAfter(range, key, false)
      if (++items === MAX_ITEMS || text.length > MAX_CHARACTERS) break
    }
    if (text === '') return
    yield text
  }
}
