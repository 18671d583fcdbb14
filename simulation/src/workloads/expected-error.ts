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

/** Documented errors of the library, for processes and networks that are delayed again and again. */
const TOO_SLOW: readonly unknown[] = ['shard-map.slow', 'shard-map.unavailable', 'query.outdated']

/** Errors of patterns that say that nothing was written. */
const REFUSAL_CODES: readonly unknown[] = ['large.late', 'large.contended', 'rotation.closed']

/** Errors of patterns that say what is left to be done. */
const PARTLY_DONE: readonly unknown[] = ['pool.unprocessed']

/**
 * Whether the failed call may have been carried out all the same. A refusal says so of the last attempt only: where the SDK
 * makes several, one before it may have been carried out and its answer lost.
 *
 * @throws the error, where no application should ever see it
 */
export function mayHaveBeenDone(error: unknown, { retries }: { readonly retries: boolean }): boolean {
  requireExpected(error)
  if (isRefusedByPattern(error)) return false
  return !REFUSALS.has(error.name) || (retries && attemptsOf(error) > 1)
}

/** @throws the error, where no application should ever see it */
export function requireExpected(error: unknown): asserts error is Error {
  if (!(error instanceof Error)) throw error
  if (
    !REFUSALS.has(error.name) &&
    !isRefusedByPattern(error) &&
    !wasTooSlow(error) &&
    !isPartlyDone(error) &&
    !EXPECTED.has(error.name)
  )
    throw error
}

function isRefusedByPattern(error: Error): boolean {
  return 'code' in error && REFUSAL_CODES.includes(error.code)
}

function isPartlyDone(error: Error): boolean {
  return 'code' in error && PARTLY_DONE.includes(error.code)
}

/** Whether the library found what it knew too old, again and again. */
export function wasTooSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TOO_SLOW.includes(error.code)
}

function attemptsOf(error: object): number {
  const { $metadata } = error as { readonly $metadata?: { readonly attempts?: number } }
  return $metadata?.attempts ?? 1
}

/** Whether a transaction was cancelled because a condition did not hold. */
export function isCancelledByCondition(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return false
  const { CancellationReasons } = error as {
    readonly CancellationReasons?: readonly { readonly Code?: string }[]
  }
  return CancellationReasons?.some(({ Code }) => Code === 'ConditionalCheckFailed') === true
}
