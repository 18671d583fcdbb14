/** What an application of a service far away must live with: it may try again, and does not know what was done. */
const EXPECTED = new Set([
  'TimeoutError',
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'TransactionCanceledException',
  'TransactionInProgressException',
])

/** Of these the service has done nothing. */
const REFUSALS = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'ConditionalCheckFailedException',
])

/** An error of the library that its documentation tells of, of processes that are held up again and again. */
const SLOW_SHARD_MAP = 'shard-map.slow'

/**
 * Whether the failed call may have been carried out all the same.
 * @throws the error, where no application should ever see it
 */
export function mayHaveBeenDone(error: unknown): boolean {
  if (!(error instanceof Error)) throw error
  if (REFUSALS.has(error.name)) return false
  if ('code' in error && error.code === SLOW_SHARD_MAP) return true
  if (!EXPECTED.has(error.name)) throw error
  return true
}
