import { refusalOf } from '../refusal.js'
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

/**
 * A provider that refreshes credentials may have valid ones soon: its source did not answer, or a file has those of before. The service may
 * not know new ones yet, and a file that is being rotated may have the id of one key with the secret of another.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
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

/** Whether a claim fails because the process has no valid credentials, for now or for good. */
export function isOfCredentials(error: unknown): boolean {
  return error instanceof Error && CREDENTIALS.has(error.name)
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
