import type { DataFile } from './data-file.js'
import {
  type BigValue,
  checkBounds,
  checkOverflow,
  isNodeInside,
  leafNode,
  OVERFLOW_VALUE_AT,
} from './page.js'
import { PageDamage } from './page-damage.js'
import { pagesOf } from './tree-pages.js'

/** A row as it is in the file. Its key has one byte per character. */
export interface FileRow {
  readonly key: string
  readonly value: Buffer
}

/**
 * All rows of a data file that can be reached, in the order of its pages, with whatever their bytes are now. Every part
 * that cannot be reached is reported, and left out.
 */
export function* rowsOf(file: DataFile, onDamage: (damage: PageDamage) => void): Iterable<FileRow> {
  for (const number of pagesOf(file, file.header.rows, onDamage).leaves) {
    try {
      yield* rowsOfLeaf(file, number, onDamage)
    } catch (error) {
      onDamage(damageOf(error))
    }
  }
}

export function* rowsOfLeaf(
  file: DataFile,
  number: number,
  onDamage: (damage: PageDamage) => void,
): Iterable<FileRow> {
  const { header } = file
  const page = file.pages(number)
  const count = checkBounds(page, number, 'leaf', header)
  for (let node = 0; node < count; node++) {
    if (!isNodeInside(page, node, 'leaf', header)) {
      onDamage(new PageDamage(`page ${number} has a node outside of its bounds`))
      continue
    }
    const { key, value } = leafNode(page, node)
    try {
      yield { key, value: Buffer.isBuffer(value) ? value : bigValue(file, value) }
    } catch (error) {
      onDamage(damageOf(error))
    }
  }
}

/** @throws PageDamage */
function bigValue(file: DataFile, value: BigValue): Buffer {
  const pages = file.pages(value.first, value.pages)
  checkOverflow(pages, value)
  return pages.subarray(OVERFLOW_VALUE_AT, OVERFLOW_VALUE_AT + value.bytes)
}

/** @throws everything that is not damage. */
function damageOf(error: unknown): PageDamage {
  if (error instanceof PageDamage) return error
  throw error
}
