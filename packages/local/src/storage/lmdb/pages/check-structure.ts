import { endianness } from 'node:os'
import { DataFile } from './data-file.js'
import { checkOverflow, checkPage, leafNode, overflowPages } from './page.js'
import { PageDamage } from './page-damage.js'
import { pagesOf } from './tree-pages.js'

/** Reading all leaves of a larger file would make its opening slow, so there only the branches are checked. */
const CHECKED_BYTES = 256 * 1024 * 1024

/**
 * Checks that every number in a data file by which LMDB finds pages and rows lies within the file. LMDB trusts them, so
 * a damaged one could end the process. Values and keys are not looked at: they have checksums.
 *
 * Numbers have the byte order of the machine. No machine with the other order runs this engine today; there nothing is
 * checked.
 *
 * @throws PageDamage when the file is damaged.
 */
export function checkStructure(path: string, checkedBytes = CHECKED_BYTES): void {
  if (endianness() !== 'LE') return
  const file = new DataFile(path)
  try {
    for (const tree of [file.header.rows, file.header.freePages]) {
      const { leaves } = pagesOf(file, tree, (damage) => {
        throw damage
      })
      if (file.size > checkedBytes) continue
      const entries = checkLeaves(file, leaves)
      // Fewer rows on a page than there were leave a page that looks right.
      if (entries !== tree.entries) {
        throw new PageDamage(`its pages hold ${entries} rows, and there are ${tree.entries}`)
      }
    }
  } finally {
    file.close()
  }
}

/** Reads in the order of the file, because pages are read together. @returns the number of rows. */
function checkLeaves(file: DataFile, leaves: readonly number[]): number {
  const { header } = file
  let rows = 0
  const big: { readonly first: number; readonly pages: number }[] = []
  for (const number of leaves.toSorted((a, b) => a - b)) {
    const page = file.pages(number)
    const count = checkPage(page, number, 'leaf', header)
    rows += count
    for (let node = 0; node < count; node++) {
      const { value, valueBytes } = leafNode(page, node)
      if (typeof value === 'number')
        big.push({ first: value, pages: overflowPages(valueBytes, header.pageBytes) })
    }
  }
  for (const { first, pages } of big.sort((a, b) => a.first - b.first)) {
    checkOverflow(file.pages(first), first)
    file.pages(first + pages - 1)
  }
  return rows
}
