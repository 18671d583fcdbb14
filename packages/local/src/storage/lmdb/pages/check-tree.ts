import type { DataFile, Tree } from './data-file.js'
import { type BigValue, bigValueOf, checkOverflow, checkPage, childOf, keyOf, transactionOf } from './page.js'
import type { PageClaims } from './page-claims.js'
import { PageDamage } from './page-damage.js'

/** A tree of a data file, and how to check it. */
export interface TreeCheck {
  readonly file: DataFile
  readonly tree: Tree
  readonly claims: PageClaims
  /** Whether its leaves are read, and not its branches only. */
  readonly readsLeaves: boolean
  /** Makes texts of keys that are in the order of the tree. Default: the keys themselves. */
  readonly ordered?: (key: string) => string
}

/** What the pages above say about a page. */
interface Expected {
  readonly number: number
  readonly kind: 'branch' | 'leaf'
  /** No later transaction wrote the page, because it would have written the page above as well. */
  readonly newest: number
  /** The keys of the page are at or behind this one, if there is one. */
  readonly from: string | undefined
  /** The keys of the page are before this one, if there is one. */
  readonly to: string | undefined
}

/**
 * Checks everything by which LMDB finds the rows of a tree: kinds, numbers and transactions of pages, places and sizes of
 * nodes, the order of keys on pages and between them, and the numbers of pages and rows.
 *
 * A damaged number often leads to another page, or another row, that is intact. It shows in a page with two uses, in keys
 * that are out of order, or in nodes that do not fill their page.
 *
 * @returns the numbers of the leaves that were read.
 * @throws PageDamage
 */
export function checkTree(check: TreeCheck): readonly number[] {
  const { tree, file, claims, readsLeaves } = check
  const { root, depth } = tree
  if (root === undefined) {
    compare(0, tree.entries, 'rows')
    return []
  }
  claims.claim(root)
  const kind = depth > 1 ? 'branch' : 'leaf'
  let level: Expected[] = [
    { number: root, kind, newest: file.header.transaction, from: undefined, to: undefined },
  ]
  let branches = 0
  let leaves = depth > 1 ? 0 : 1
  for (let below = depth - 1; below > 0; below--) {
    branches += level.length
    const next: Expected[] = []
    for (const expected of level) {
      if (below === 1 && !readsLeaves) {
        leaves += claimChildren(check, expected)
        continue
      }
      const pages = checkBranch(check, expected, below > 1 ? 'branch' : 'leaf')
      if (below === 1) leaves += pages.length
      next.push(...pages)
    }
    level = next
  }
  compare(branches, tree.branchPages, 'branch pages')
  compare(leaves, tree.leafPages, 'leaf pages')
  if (!readsLeaves) return []
  checkLeaves(check, level)
  return level.map(({ number }) => number)
}

/** @returns what the page says about those below it. */
function checkBranch(check: TreeCheck, expected: Expected, kind: 'branch' | 'leaf'): readonly Expected[] {
  const page = check.file.page(expected.number)
  // The first node has no key: all keys before the second node's are below it.
  const keys = checkAnyPage(check, page, expected, 1)
  const newest = transactionOf(page)
  return Array.from({ length: keys.length + 1 }, (_, node) => {
    const number = childOf(page, node)
    check.claims.claim(number)
    return { number, kind, newest, from: keys[node - 1] ?? expected.from, to: keys[node] ?? expected.to }
  })
}

/**
 * Checks a branch whose children are not read. A large file has millions of leaves: what the branches say about each would fill the memory,
 * and making it took a third of the time of the check.
 * @returns how many children it has.
 */
function claimChildren(check: TreeCheck, expected: Expected): number {
  const page = check.file.page(expected.number)
  const children = checkAnyPage(check, page, expected, 1).length + 1
  for (let node = 0; node < children; node++) check.claims.claim(childOf(page, node))
  return children
}

/** Reads in the order of the file, because pages are read together. */
function checkLeaves(check: TreeCheck, leaves: readonly Expected[]): void {
  const { file, tree, claims } = check
  let rows = 0
  let overflowPages = 0
  const big: BigValue[] = []
  for (const expected of leaves.toSorted((one, two) => one.number - two.number)) {
    const page = file.pages(expected.number)
    const keys = checkAnyPage(check, page, expected, 0)
    rows += keys.length
    for (let node = 0; node < keys.length; node++) {
      const value = bigValueOf(page, node)
      if (value === undefined) continue
      checkTransaction(value.first, value.transaction, transactionOf(page))
      claims.claim(value.first, value.pages)
      overflowPages += value.pages
      big.push(value)
    }
  }
  compare(rows, tree.entries, 'rows')
  compare(overflowPages, tree.overflowPages, 'overflow pages')
  for (const value of big.sort((one, two) => one.first - two.first)) {
    const page = file.pages(value.first)
    checkOverflow(page, value)
    checkTransaction(value.first, transactionOf(page), value.transaction)
    file.pages(value.first + value.pages - 1)
  }
}

/** @returns the keys of its nodes from one on. */
function checkAnyPage(
  check: TreeCheck,
  page: Buffer,
  expected: Expected,
  firstKey: number,
): readonly string[] {
  const { number, kind, newest, from, to } = expected
  const { header } = check.file
  const count = checkPage(page, number, kind, header)
  checkTransaction(number, transactionOf(page), newest)
  const keys: string[] = []
  let last: string | undefined
  for (let node = firstKey; node < count; node++) {
    const stored = keyOf(page, node)
    const key = check.ordered?.(stored) ?? stored
    const isBehind = last === undefined ? from === undefined || key >= from : key > last
    if (!isBehind || (to !== undefined && key >= to)) {
      throw new PageDamage(`page ${number} has a key that is out of order`)
    }
    keys.push(key)
    last = key
  }
  return keys
}

function checkTransaction(number: number, transaction: number, newest: number): void {
  if (transaction <= newest) return
  throw new PageDamage(
    `page ${number} is of the transaction ${transaction}, and may be of ${newest} at the latest`,
  )
}

/** @throws PageDamage */
function compare(found: number, counted: number, what: string): void {
  if (found !== counted) throw new PageDamage(`it has ${found} ${what}, and counts ${counted}`)
}
