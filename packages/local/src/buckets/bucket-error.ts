/** The service's code for what went wrong, as in `FailureCode` of an export or import. */
export type BucketFailure = 'S3NoSuchBucket' | 'S3NoSuchKey' | 'S3AccessDenied' | 'InternalServerError'

/** Why a bucket cannot be read or written. The message contains the remedy. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  readonly failure: BucketFailure

  constructor(failure: BucketFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
  }
}

/** The error for a file of a bucket that the system refuses. */
export function fileError(path: string, doing: 'read' | 'written', error: unknown): unknown {
  if (error instanceof BucketError) return error
  const code: unknown = Object(error).code
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new BucketError(
      'InternalServerError',
      `The disk is full: ${path} cannot be written (${code}). Free some space and start again.`,
      error,
    )
  }
  if (code === 'ENOENT') {
    return new BucketError('S3NoSuchKey', `There is no ${path} any more. Restore it and start again.`, error)
  }
  return new BucketError(
    'S3AccessDenied',
    `The file ${path} cannot be ${doing} (${code}). Change its permissions and start again.`,
    error,
  )
}
