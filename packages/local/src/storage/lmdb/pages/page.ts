import { PageDamage } from './page-damage.js'

/**
 * The layout of LMDB's pages (format 2, 64-bit). A page begins with its number (8 bytes), its transaction (8), padding
 * (2), flags (2), and the end of its offsets and the begin of its nodes (2 each). Each offset (2) is that of a node.
 * Offsets count from the end of this header.
 *
 * A node has 32 bits for the size of its value, flags (2), the size of its key (2), its key and its value. In a branch,
 * size and flags are the number of the page below it instead. Source: `mdb.c` of the package `lmdb`.
 */
const HEADER_BYTES = 24
const TRANSACTION_AT = 8
const FLAGS_AT = 18
const LOWER_AT = 20
const UPPER_AT = 22
/** An overflow page has the number of its pages instead of the two. */
const OVERFLOW_COUNT_AT = 20
const NODE_BYTES = 8
const KEY_SIZE_AT = 6
const NODE_FLAGS_AT = 4

/** The value lies on pages of its own, and the node has their number. */
const BIG_VALUE = 1
/** The number of the first page, its transaction, and the number of pages. */
const BIG_VALUE_BYTES = 24
const BIG_TRANSACTION_AT = 8
const PAGE_COUNT_AT = 16
/** The first two pages are the headers. */
export const FIRST_PAGE = 2

/** The kinds of pages by their flag. No page of a file has further flags. */
const PAGE_KINDS = { branch: 1, leaf: 2, overflow: 4 } as const

/** The limits within which the numbers of a page must be. */
export interface PageLimits {
  readonly pageBytes: number
  readonly lastPage: number
}

/** A node of a leaf: the row's key, and its value or where that is. */
export interface LeafNode {
  readonly key: string
  readonly value: Buffer | BigValue
}

/** A value on pages of its own, which follow each other. */
export interface BigValue {
  readonly first: number
  readonly pages: number
  readonly bytes: number
  /** The number of the transaction that wrote it. */
  readonly transaction: number
}

/**
 * Checks that a page is what the page above it says, that all of it lies within the page and the file, and that its nodes
 * fill the space for them. LMDB leaves no space between nodes, so a node of another size than it had is noticed.
 * @returns the number of its nodes.
 * @throws PageDamage
 */
export function checkPage(page: Buffer, number: number, kind: 'branch' | 'leaf', limits: PageLimits): number {
  const count = checkBounds(page, number, kind, limits)
  const first = firstNodeOf(page)
  let bytes = 0
  for (let node = 0; node < count; node++) {
    const at = placeOf(page, node)
    const end = at < first ? Number.POSITIVE_INFINITY : nodeEnd(page, at, kind, limits)
    if (end > limits.pageBytes) throw new PageDamage(`page ${number} has a node outside of its bounds`)
    // Nodes begin at even places.
    bytes += end - at + ((end - at) % 2)
  }
  if (bytes !== limits.pageBytes - first) throw new PageDamage(`page ${number} has nodes of other sizes`)
  return count
}

/** Like `checkPage`, without a look at the nodes. */
export function checkBounds(
  page: Buffer,
  number: number,
  kind: 'branch' | 'leaf',
  { pageBytes }: PageLimits,
): number {
  checkHeader(page, number, kind)
  const [lower, upper] = [page.readUInt16LE(LOWER_AT), page.readUInt16LE(UPPER_AT)]
  const count = lower / 2
  if (!Number.isInteger(count) || count < 1 || lower > upper || upper > pageBytes - HEADER_BYTES) {
    throw new PageDamage(`page ${number} has impossible bounds`)
  }
  return count
}

/** Whether a node, and the pages that it refers to, are within the page and the file. */
export function isNodeInside(
  page: Buffer,
  node: number,
  kind: 'branch' | 'leaf',
  limits: PageLimits,
): boolean {
  const at = placeOf(page, node)
  return at >= firstNodeOf(page) && nodeEnd(page, at, kind, limits) <= limits.pageBytes
}

/** Checks the first page of a value that lies on pages of its own. @throws PageDamage */
export function checkOverflow(page: Buffer, { first, pages }: BigValue): void {
  checkHeader(page, first, 'overflow')
  // When the value is removed, as many pages as its first one says become free.
  if (page.readUInt32LE(OVERFLOW_COUNT_AT) !== pages) {
    throw new PageDamage(`page ${first} begins a value of another number of pages`)
  }
}

/** The number of the transaction that wrote a page. */
export function transactionOf(page: Buffer): number {
  return readNumber(page, TRANSACTION_AT)
}

/** The key of a node. It has one byte per character. */
export function keyOf(page: Buffer, node: number): string {
  const at = placeOf(page, node) + NODE_BYTES
  return page.toString('latin1', at, at + page.readUInt16LE(at - NODE_BYTES + KEY_SIZE_AT))
}

/** The number of the page below a branch's node. */
export function childOf(page: Buffer, node: number): number {
  const at = placeOf(page, node)
  return page.readUInt32LE(at) + page.readUInt16LE(at + NODE_FLAGS_AT) * 2 ** 32
}

export function leafNode(page: Buffer, node: number): LeafNode {
  const at = placeOf(page, node)
  const bytes = page.readUInt32LE(at)
  const keyEnd = at + NODE_BYTES + page.readUInt16LE(at + KEY_SIZE_AT)
  const key = keyOf(page, node)
  return { key, value: bigValueOf(page, node) ?? page.subarray(keyEnd, keyEnd + bytes) }
}

/** Where the value of a leaf's node is, if it lies on pages of its own. */
export function bigValueOf(page: Buffer, node: number): BigValue | undefined {
  const at = placeOf(page, node)
  if (page.readUInt16LE(at + NODE_FLAGS_AT) !== BIG_VALUE) return undefined
  const keyEnd = at + NODE_BYTES + page.readUInt16LE(at + KEY_SIZE_AT)
  return {
    first: readNumber(page, keyEnd),
    pages: readNumber(page, keyEnd + PAGE_COUNT_AT),
    bytes: page.readUInt32LE(at),
    transaction: readNumber(page, keyEnd + BIG_TRANSACTION_AT),
  }
}

/** How many pages a value takes that has pages of its own. */
function overflowPages(valueBytes: number, pageBytes: number): number {
  return Math.ceil((HEADER_BYTES + valueBytes) / pageBytes)
}

/** Where a value begins on the first of its pages. */
export const OVERFLOW_VALUE_AT = HEADER_BYTES

function firstNodeOf(page: Buffer): number {
  return HEADER_BYTES + page.readUInt16LE(UPPER_AT)
}

function placeOf(page: Buffer, node: number): number {
  return HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + 2 * node)
}

export function readNumber(page: Buffer, at: number): number {
  return page.readUInt32LE(at) + page.readUInt32LE(at + 4) * 2 ** 32
}

function checkHeader(page: Buffer, number: number, kind: keyof typeof PAGE_KINDS): void {
  if (readNumber(page, 0) !== number || page.readUInt16LE(FLAGS_AT) !== PAGE_KINDS[kind]) {
    throw new PageDamage(`page ${number} is not the ${kind} page that it must be`)
  }
}

/** Where a node ends in its page, or infinity when it refers to pages outside of the file. */
function nodeEnd(page: Buffer, at: number, kind: 'branch' | 'leaf', limits: PageLimits): number {
  if (at + NODE_BYTES > limits.pageBytes) return Number.POSITIVE_INFINITY
  const keyEnd = at + NODE_BYTES + page.readUInt16LE(at + KEY_SIZE_AT)
  const flags = page.readUInt16LE(at + NODE_FLAGS_AT)
  const size = page.readUInt32LE(at)
  if (kind === 'branch') return isPage(size + flags * 2 ** 32, 1, limits) ? keyEnd : Number.POSITIVE_INFINITY
  if (flags === 0) return keyEnd + size
  const end = keyEnd + BIG_VALUE_BYTES
  if (flags !== BIG_VALUE || end > limits.pageBytes) return Number.POSITIVE_INFINITY
  const pages = overflowPages(size, limits.pageBytes)
  const isRight = readNumber(page, keyEnd + PAGE_COUNT_AT) === pages
  return isRight && isPage(readNumber(page, keyEnd), pages, limits) ? end : Number.POSITIVE_INFINITY
}

function isPage(number: number, pages: number, { lastPage }: PageLimits): boolean {
  return number >= FIRST_PAGE && number + pages - 1 <= lastPage
}
