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
const FLAGS_AT = 18
const LOWER_AT = 20
const UPPER_AT = 22
const NODE_BYTES = 8
const KEY_SIZE_AT = 6
const NODE_FLAGS_AT = 4

/** The flags that say what a page is: branch, leaf, overflow, meta, or a page of duplicates, which are not used here. */
const KIND_FLAGS = 0x6f
/** The value lies on pages of its own, and the node has their number. */
const BIG_VALUE = 1
/** The number of the first page, its transaction, and the number of pages. */
const BIG_VALUE_BYTES = 24
const PAGE_COUNT_AT = 16
/** The first two pages are the headers. */
const FIRST_PAGE = 2

/** The kinds of pages by their flag. */
const PAGE_KINDS = { branch: 1, leaf: 2, overflow: 4 } as const

/** The limits within which the numbers of a page must be. */
export interface PageLimits {
  readonly pageBytes: number
  readonly lastPage: number
}

/** A node of a leaf: the row's key, and where its value is. */
export interface LeafNode {
  readonly key: string
  readonly valueBytes: number
  /** The value, or the number of the first page that holds it. */
  readonly value: Buffer | number
}

/**
 * Checks that a page is what the page above it says, and that all of it lies within the page and the file.
 * @returns the number of its nodes.
 * @throws PageDamage
 */
export function checkPage(page: Buffer, number: number, kind: 'branch' | 'leaf', limits: PageLimits): number {
  const count = checkBounds(page, number, kind, limits)
  for (let node = 0; node < count; node++) {
    if (!isNodeInside(page, node, kind, limits)) {
      throw new PageDamage(`page ${number} has a node outside of its bounds`)
    }
  }
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
  const first = HEADER_BYTES + page.readUInt16LE(UPPER_AT)
  if (at < first || at + NODE_BYTES > limits.pageBytes) return false
  return nodeEnd(page, at, kind, limits) <= limits.pageBytes
}

/** Checks the first page of a value that lies on pages of its own. @throws PageDamage */
export function checkOverflow(page: Buffer, number: number): void {
  checkHeader(page, number, 'overflow')
}

/** The number of the page below a branch's node. */
export function childOf(page: Buffer, node: number): number {
  const at = placeOf(page, node)
  return page.readUInt32LE(at) + page.readUInt16LE(at + NODE_FLAGS_AT) * 2 ** 32
}

export function leafNode(page: Buffer, node: number): LeafNode {
  const at = placeOf(page, node)
  const valueBytes = page.readUInt32LE(at)
  const keyEnd = at + NODE_BYTES + page.readUInt16LE(at + KEY_SIZE_AT)
  const key = page.toString('latin1', at + NODE_BYTES, keyEnd)
  const isBig = page.readUInt16LE(at + NODE_FLAGS_AT) === BIG_VALUE
  return {
    key,
    valueBytes,
    value: isBig ? readNumber(page, keyEnd) : page.subarray(keyEnd, keyEnd + valueBytes),
  }
}

/** How many pages a value takes that has pages of its own. */
export function overflowPages(valueBytes: number, pageBytes: number): number {
  return Math.ceil((HEADER_BYTES + valueBytes) / pageBytes)
}

/** Where a value begins on the first of its pages. */
export const OVERFLOW_VALUE_AT = HEADER_BYTES

function placeOf(page: Buffer, node: number): number {
  return HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + 2 * node)
}

export function readNumber(page: Buffer, at: number): number {
  return page.readUInt32LE(at) + page.readUInt32LE(at + 4) * 2 ** 32
}

function checkHeader(page: Buffer, number: number, kind: keyof typeof PAGE_KINDS): void {
  const isOfKind = (page.readUInt16LE(FLAGS_AT) & KIND_FLAGS) === PAGE_KINDS[kind]
  if (readNumber(page, 0) !== number || !isOfKind) {
    throw new PageDamage(`page ${number} is not the ${kind} page that it must be`)
  }
}

/** Where a node ends in its page, or infinity when it refers to pages outside of the file. */
function nodeEnd(page: Buffer, at: number, kind: 'branch' | 'leaf', limits: PageLimits): number {
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
