import { statfsSync } from 'node:fs'

/** The free bytes of the disk that holds a path, or `undefined` when the system does not say. */
export function freeBytesOf(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** A commit copies each page on the way to a row, of which there are few, and each page has 4 KB. */
const BYTES_PER_ROW = 16 * 1024
/** For other processes, which write to the same disk. */
const RESERVED_BYTES = 1024 * 1024

/**
 * Checks that a commit fits the disk, because the database ends the process when a disk is full.
 * @throws Error when it may not fit.
 */
export function checkSpaceFor(directory: string, rows: ReadonlyMap<string, Buffer | undefined>): void {
  const freeBytes = freeBytesOf(directory)
  if (freeBytes === undefined) return
  let bytes = RESERVED_BYTES
  for (const [key, value] of rows) bytes += BYTES_PER_ROW + key.length + 2 * (value?.length ?? 0)
  if (freeBytes < bytes) throw new NoSpace(bytes, freeBytes)
}

/** There is not enough free space for a commit. Nothing has been written. */
export class NoSpace extends Error {
  constructor(neededBytes: number, freeBytes: number) {
    super(`${neededBytes} bytes are needed, and ${freeBytes} are free`)
  }
}
