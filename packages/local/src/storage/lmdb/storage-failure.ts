import { LocalError } from '../../errors/local-error.js'
import { freeBytesOf, NoSpace } from './free-space.js'

/** For a full disk, LMDB reports only a short write. So below this much free space the disk counts as full. */
const FULL_BELOW_BYTES = 1024 * 1024

/** Returns an error with the reason why a commit failed and the remedy. */
export function storageFailure(directory: string, cause: unknown): LocalError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const refused =
    'The write was refused and changed nothing; what was acknowledged before is safe and can be read.'
  const freeBytes = freeBytesOf(directory)
  if (cause instanceof NoSpace && cause.maxFileBytes !== undefined) {
    return new LocalError(
      'storage.full',
      `The data directory ${directory} has reached the largest file that this process may write (${cause.maxFileBytes} bytes, see \`ulimit -f\`). ${refused} Raise the limit and start again.`,
      { directory, maxFileBytes: cause.maxFileBytes },
      cause,
    )
  }
  const isFull = freeBytes !== undefined && freeBytes < FULL_BELOW_BYTES
  if (isFull || cause instanceof NoSpace) {
    return new LocalError(
      'storage.full',
      `The disk of the data directory ${directory} is full (${freeBytes ?? 0} bytes are free). ${refused} Free some space and write again.`,
      { directory, freeBytes },
      cause,
    )
  }
  return new LocalError(
    'storage.write',
    `The data directory ${directory} could not be written: ${reason}. ${refused} Check the disk and write again.`,
    { directory },
    cause,
  )
}
