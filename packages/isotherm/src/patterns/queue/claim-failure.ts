import { refusalOf } from '../refusal.js'
import { isOfCredentials } from '../sending/is-of-credentials.js'
import { isTransient } from '../sending/is-transient.js'

/** Mistakes, also of an engine that does not say whose fault an error is. */
const MISTAKES: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'ValidationException',
  'AccessDeniedException',
  'IsothermError',
])

/** Errors of a sharded client that another attempt may not have. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  'shard-map.slow',
  'shard-map.unavailable',
  'card.lost',
  'query.outdated',
])

/** Errors that the service attributes to the client, and that pass all the same. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'RequestTimeoutException',
  'TransactionInProgressException',
])
const PASSING_STATUSES: ReadonlySet<number | undefined> = new Set([408, 429])

/** Members of the SDK's errors. */
interface ServiceError {
  readonly $fault?: unknown
  readonly $retryable?: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Whether a claim will fail in the same way each time: the table does not exist, or the process may not use it. */
export function isMistake(error: unknown): boolean {
  if (!(error instanceof Error) || isOfCredentials(error)) return false
  if (MISTAKES.has(error.name)) return !PASSING_CODES.has(Object(error).code)
  const { $fault, $retryable, $metadata } = error as ServiceError
  const passes =
    $retryable !== undefined ||
    PASSING_NAMES.has(error.name) ||
    PASSING_STATUSES.has($metadata?.httpStatusCode) ||
    isTransient(error) ||
    refusalOf(error) !== undefined
  return $fault === 'client' && !passes
}
