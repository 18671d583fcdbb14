import { closeSync, openSync, readSync } from 'node:fs'

/** LMDB's own mark, near the beginning of each of the first two pages. */
const MAGIC = Buffer.from('dec0efbe', 'hex')

/** The mark comes within so many bytes, wherever the machine's word size puts it. */
const MARK_BYTES = 64

const PAGE_BYTES = [4_096, 8_192, 16_384, 32_768, 65_536] as const

/**
 * Refuses a file that is no LMDB database, or has lost one of its two headers: after such a refusal of its own, the
 * package leaves behind what later ends the process.
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
