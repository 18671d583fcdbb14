import { readNumber } from './page.js'
import { PageDamage } from './page-damage.js'

/** Pages that are free, and follow each other. */
export interface FreePages {
  readonly first: number
  readonly count: number
}

const ENTRY_BYTES = 8

/**
 * The pages in one record of the list of free pages: the number of its entries, then the entries. A positive entry is
 * the number of a page. A negative one is the count of the pages that begin with the next entry. Zeros are spare.
 * Source: `midl.c` of the package `lmdb`.
 *
 * @throws PageDamage
 */
export function* freePagesIn(record: Buffer): Iterable<FreePages> {
  const entries = record.length < ENTRY_BYTES ? Number.POSITIVE_INFINITY : readNumber(record, 0)
  if ((entries + 1) * ENTRY_BYTES > record.length) {
    throw new PageDamage('its list of free pages is longer than the space for it')
  }
  for (let entry = 1; entry <= entries; entry++) {
    const value = readEntry(record, entry)
    if (value === 0) continue
    if (value > 0) {
      yield { first: value, count: 1 }
      continue
    }
    entry++
    if (entry > entries) throw new PageDamage('its list of free pages ends in the middle of an entry')
    yield { first: readEntry(record, entry), count: -value }
  }
}

/** Numbers beyond those that are exact are out of any file's range all the same. */
function readEntry(record: Buffer, entry: number): number {
  return Number(record.readBigInt64LE(entry * ENTRY_BYTES))
}
