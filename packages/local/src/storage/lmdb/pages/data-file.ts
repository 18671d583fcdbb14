import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readNumber } from './page.js'
import { PageDamage } from './page-damage.js'

/** Offsets in a header page. */
const PAGE_FLAGS_AT = 18
const MAGIC_AT = 24
const VERSION_AT = 28
const TREES_AT = 48
const TREE_BYTES = 48
const LAST_PAGE_AT = TREES_AT + 2 * TREE_BYTES
const TRANSACTION_AT = LAST_PAGE_AT + 8
const HEADER_BYTES = TRANSACTION_AT + 8

/** The flag of a header page. */
const HEADER_FLAG = 8
const MAGIC = 0xbeefc0de
/** The format that this reader knows. */
const VERSION = 2
const PAGE_SIZES: readonly number[] = [4_096, 8_192, 16_384, 32_768, 65_536]
/** A flag of the list of free pages, which has those of the whole file. */
const ENCRYPTED = 0x2000
/** No tree is deeper: LMDB's own limit. */
const MAX_DEPTH = 32
/** Leaves are read together, because a call for each would take most of the time. */
const WINDOW_BYTES = 1024 * 1024
/** LMDB's number of no page. */
const NO_PAGE = 2 ** 64

/** One tree of a data file. */
export interface Tree {
  /** How its keys are compared, and what its rows may be. */
  readonly flags: number
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** The number of its first page, or `undefined` when it is empty. */
  readonly root: number | undefined
}

/** The newer one of a data file's two headers. */
export interface FileHeader {
  readonly pageBytes: number
  readonly lastPage: number
  /** The number of the newest transaction. */
  readonly transaction: number
  readonly rows: Tree
  readonly freePages: Tree
}

/**
 * An LMDB data file that is read page by page, without LMDB. LMDB follows every number in its file, so a damaged one can
 * end the process. The file must not be open elsewhere.
 */
export class DataFile {
  readonly size: number
  readonly header: FileHeader
  readonly #descriptor: number
  #window: Buffer = Buffer.alloc(0)
  #windowAt = 0

  /** @throws PageDamage when its headers are damaged, or of another format. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    try {
      this.size = fstatSync(this.#descriptor).size
      this.header = this.#readHeader()
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** One page, whose neighbours are not needed. @throws PageDamage when the file ends before it. */
  page(number: number): Buffer {
    return this.#pages(number, 1, 0)
  }

  /**
   * One page, or several that follow each other. Read pages in the order of the file.
   * @throws PageDamage when the file ends before them.
   */
  pages(number: number, count = 1): Buffer {
    return this.#pages(number, count, WINDOW_BYTES)
  }

  #pages(number: number, count: number, windowBytes: number): Buffer {
    const { pageBytes } = this.header
    const [from, to] = [number * pageBytes, (number + count) * pageBytes]
    if (from < this.#windowAt || to > this.#windowAt + this.#window.length) {
      this.#window = this.#read(from, Math.max(to - from, windowBytes))
      this.#windowAt = from
    }
    const at = from - this.#windowAt
    if (at + count * pageBytes > this.#window.length) {
      throw new PageDamage(`page ${number} is missing: the file ends before it`)
    }
    return this.#window.subarray(at, at + count * pageBytes)
  }

  #read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - from)))
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, bytes.length, from))
  }

  #readHeader(): FileHeader {
    const first = headerAt(this.#read(0, HEADER_BYTES))
    const second = headerAt(this.#read(first.pageBytes, HEADER_BYTES))
    const { transaction: one } = first
    const { transaction: two } = second
    // Transaction n writes the header n modulo 2, so the newest two are the headers. A new file has two of transaction 0.
    const isNew = one === 0 && two === 0
    const isPair = Math.abs(one - two) === 1 && one % 2 === 0 && first.pageBytes === second.pageBytes
    if (!isNew && !isPair) throw new PageDamage('its two headers contradict each other')
    // LMDB looks at this flag in the first header, even if the second one is newer, and ends the process.
    if (((first.freePages.flags | second.freePages.flags) & ENCRYPTED) !== 0) {
      throw new PageDamage('a header says that it is encrypted')
    }
    return one > two ? first : second
  }
}

/** @throws PageDamage */
function headerAt(bytes: Buffer): FileHeader {
  const isWhole = bytes.length >= HEADER_BYTES
  if (
    !isWhole ||
    bytes.readUInt32LE(MAGIC_AT) !== MAGIC ||
    bytes.readUInt16LE(PAGE_FLAGS_AT) !== HEADER_FLAG
  ) {
    throw new PageDamage('it is not a database, or has lost its header')
  }
  const version = bytes.readUInt32LE(VERSION_AT)
  if (version !== VERSION) throw new PageDamage(`it has the format ${version} of LMDB, and not ${VERSION}`)
  // The page size stands in the first tree.
  const pageBytes = bytes.readUInt32LE(TREES_AT)
  if (!PAGE_SIZES.includes(pageBytes)) throw new PageDamage(`its pages would have ${pageBytes} bytes`)
  return {
    pageBytes,
    freePages: treeAt(bytes, TREES_AT),
    rows: treeAt(bytes, TREES_AT + TREE_BYTES),
    lastPage: readNumber(bytes, LAST_PAGE_AT),
    transaction: readNumber(bytes, TRANSACTION_AT),
  }
}

/** A tree's description: padding (4 bytes), flags (2), depth (2), and numbers of 8 bytes. */
function treeAt(bytes: Buffer, at: number): Tree {
  const [branchPages = 0, leafPages = 0, overflowPages = 0, entries = 0, root = 0] = [8, 16, 24, 32, 40].map(
    (offset) => readNumber(bytes, at + offset),
  )
  const depth = bytes.readUInt16LE(at + 6)
  if (depth > MAX_DEPTH) throw new PageDamage(`a tree of it would be ${depth} pages deep`)
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth,
    branchPages,
    leafPages,
    overflowPages,
    entries,
    root: root >= NO_PAGE - 2048 ? undefined : root,
  }
}
