import { endianness } from 'node:os'
import { checkTree } from './check-tree.js'
import { DataFile } from './data-file.js'
import { freePagesIn } from './free-list.js'
import { checkPage, transactionOf } from './page.js'
import { PageClaims } from './page-claims.js'
import { PageDamage } from './page-damage.js'
import { rowsOfLeaf } from './rows.js'

/** Reading all leaves of a larger file would make its opening slow, so there only the branches are checked. */
const CHECKED_BYTES = 256 * 1024 * 1024

/** The flags of a tree that say how its keys are compared, and whether keys have several values. */
const ORDER_FLAGS = 0xff
/** The keys of the list of free pages are numbers of transactions. */
const NUMBER_KEYS = 8

/**
 * Checks that LMDB finds in a data file what was written. LMDB trusts every number in its file, so a damaged one could
 * end the process, hide rows, or show those of an earlier transaction. Values are not looked at: they have checksums.
 *
 * Numbers have the byte order of the machine. No machine with the other order runs this engine today; there nothing is
 * checked.
 *
 * @param checkedBytes how large a file may be so that its leaves are read as well.
 * @throws PageDamage when the file is damaged.
 */
export function checkStructure(path: string, checkedBytes = CHECKED_BYTES): void {
  if (endianness() !== 'LE') return
  const file = new DataFile(path)
  try {
    const { rows, freePages, lastPage, pageBytes } = file.header
    if ((rows.flags & ORDER_FLAGS) !== 0 || (freePages.flags & ORDER_FLAGS) !== NUMBER_KEYS) {
      throw new PageDamage('its header says that its keys are in another order')
    }
    checkNewest(file)
    const claims = new PageClaims(Math.ceil(file.size / pageBytes), lastPage)
    checkTree({ file, claims, tree: rows, readsLeaves: file.size <= checkedBytes })
    const leaves = checkTree({ file, claims, tree: freePages, readsLeaves: true, ordered: asNumber })
    for (const leaf of leaves) {
      for (const { value } of rowsOfLeaf(file, leaf, rethrow)) {
        for (const { first, count } of freePagesIn(value)) claims.claim(first, count)
      }
    }
    claims.checkEnd()
  } finally {
    file.close()
  }
}

/**
 * Checks that the newer header is of the newest transaction. Each transaction writes the first page of the rows. With a
 * damaged number, the older header would look newer, and the newest transaction would be lost.
 */
function checkNewest(file: DataFile): void {
  const { rows, transaction } = file.header
  if (rows.root === undefined) return
  const root = file.page(rows.root)
  checkPage(root, rows.root, rows.depth > 1 ? 'branch' : 'leaf', file.header)
  if (transactionOf(root) !== transaction)
    throw new PageDamage('its newest header is not of its newest transaction')
}

/** The bytes of a number, the lowest first, as a text in the order of the numbers. */
function asNumber(key: string): string {
  return [...key].reverse().join('')
}

function rethrow(damage: PageDamage): never {
  throw damage
}
