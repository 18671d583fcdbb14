import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { processLimit } from './process-limits.js'

/** The free bytes of the disk that holds a path, or `undefined` when the system does not say. */
export function freeBytesOf(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** The file that holds the rows. */
export const ITEMS_FILE = 'items.mdb'

/** A commit copies each page on the way to a row, of which there are few, and each page has 4 KB. */
const BYTES_PER_ROW = 16 * 1024
/** Longer than any key of a row. */
const BYTES_PER_KEY = 2 * 1024
/** For other processes, which write to the same disk. */
const RESERVED_BYTES = 1024 * 1024

/**
 * Checks that a commit fits the disk, because the database ends the process when a disk is full.
 * @throws Error when it may not fit.
 */
export function checkSpaceFor(
  directory: string,
  rows: ReadonlyMap<string, Buffer | undefined>,
  maxFileBytes = MAX_FILE_BYTES,
): void {
  const { freeBytes, isFileLimit } = spaceFor(directory, maxFileBytes)
  const bytes = bytesOf(rows)
  if (freeBytes < bytes) throw new NoSpace(bytes, freeBytes, isFileLimit ? maxFileBytes : undefined)
}

/** How many rows a commit may remove besides its own ones, up to a limit. */
export function removalsBeside(
  directory: string,
  rows: ReadonlyMap<string, Buffer | undefined>,
  most: number,
  maxFileBytes = MAX_FILE_BYTES,
): number {
  const { freeBytes } = spaceFor(directory, maxFileBytes)
  const fitting = Math.floor((freeBytes - bytesOf(rows)) / (BYTES_PER_ROW + BYTES_PER_KEY))
  return Math.max(0, Math.min(most, fitting))
}

/** The bytes that a commit may take. They are infinite where the system does not say it. */
function spaceFor(directory: string, maxFileBytes: number | undefined) {
  const diskBytes = freeBytesOf(directory) ?? Number.POSITIVE_INFINITY
  const growthBytes = maxFileBytes === undefined ? Number.POSITIVE_INFINITY : maxFileBytes - sizeOf(directory)
  return { freeBytes: Math.min(diskBytes, growthBytes), isFileLimit: growthBytes <= diskBytes }
}

function bytesOf(rows: ReadonlyMap<string, Buffer | undefined>): number {
  let bytes = RESERVED_BYTES
  for (const [key, value] of rows) bytes += BYTES_PER_ROW + key.length + 2 * (value?.length ?? 0)
  return bytes
}

/** The largest file that this process may write (`ulimit -f`). */
export const MAX_FILE_BYTES = processLimit('Max file size')

function sizeOf(directory: string): number {
  return statSync(join(directory, ITEMS_FILE), { throwIfNoEntry: false })?.size ?? 0
}

/** There is not enough free space for a commit. Nothing has been written. */
export class NoSpace extends Error {
  /** The largest file that the process may write, when that is the reason. */
  readonly maxFileBytes: number | undefined

  constructor(neededBytes: number, freeBytes: number, maxFileBytes?: number) {
    super(`${neededBytes} bytes are needed, and ${freeBytes} are free`)
    this.maxFileBytes = maxFileBytes
  }
}
