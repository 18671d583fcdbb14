import { closeSync, openSync, readSync } from 'node:fs'

/** LMDB's magic number, near the beginning of each of the first two pages. */
const MAGIC = Buffer.from('dec0efbe', 'hex')

/** The magic number lies within this many bytes. Its exact offset depends on the machine's word size. */
const MARK_BYTES = 64

const PAGE_BYTES = [4_096, 8_192, 16_384, 32_768, 65_536] as const

/**
 * Rejects a file that is not an LMDB database, or that has lost one of its two headers. The `lmdb` package rejects such
 * files too, but then leaves state behind that ends the process later.
 */
export function checkHeader(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    const offset = read(descriptor, 0, MARK_BYTES).indexOf(MAGIC)
    const isMarked = (page: number) => read(descriptor, page + offset, MAGIC.length).equals(MAGIC)
    if (offset < 0 || !PAGE_BYTES.some(isMarked))
      throw new Error('it is not a database, or has lost its header')
  } finally {
    closeSync(descriptor)
  }
}

function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, position)
  return bytes
}
