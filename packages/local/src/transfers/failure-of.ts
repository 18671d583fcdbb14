import { BucketError } from '../buckets/bucket-error.js'
import type { TransferFailure } from '../catalog/transfer-records.js'

/** Why a transfer failed. */
export function failureOf(error: unknown): TransferFailure {
  const message = error instanceof Error ? error.message : String(error)
  return { code: error instanceof BucketError ? error.failure : 'InternalServerError', message }
}
