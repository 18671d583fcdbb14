import { ServiceError } from '@isotherm/local/service'
import { IsothermError, type IsothermErrorCode } from 'isotherm'
import { failureText } from '../errors/failure-text.js'

/** An error in the service's form, and whether the operator of the proxy should read of it. */
export interface Explained {
  readonly error: ServiceError
  /** The upstream's, if it has rejected the request. */
  readonly requestId: string | undefined
  /** Whether the cause is the proxy, its configuration or its upstream, and not the request. */
  readonly isOurs: boolean
}

/** Faults of the request. A retry cannot help. */
const FAULTS_OF_REQUEST: readonly IsothermErrorCode[] = [
  'command.unsupported',
  'command.parameter-unsupported',
  'key.missing',
  'key.type',
  'key.too-long',
  'key.ambiguous',
  'transaction.too-large',
  'cursor.invalid',
]

/** Tables that a person must create. Retries would only delay the error. */
const MISSING_TABLES: readonly IsothermErrorCode[] = ['table.missing', 'shard-map.missing']

/** Members of the service's errors besides their text. */
const MEMBERS = ['Item', 'CancellationReasons', 'ThrottlingReasons', 'throttlingReasons'] as const

/** The error of a request that the library or the SDK could not execute, as the service would return it. */
export function serviceErrorOf(error: unknown): Explained {
  if (error instanceof ServiceError) return { error, requestId: undefined, isOurs: false }
  // Before the service's: some errors of the library have both classes, and their texts speak of options.
  if (error instanceof IsothermError) return ofLibrary(error)
  if (isOfService(error)) return ofService(error)
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  if (isWithoutCredentials(error)) {
    return ours('AccessDeniedException', `The proxy has no credentials for its upstream: ${message}`, 400)
  }
  if (isOfNetwork(error)) {
    return ours(
      'ServiceUnavailable',
      `The endpoint that requests are forwarded to cannot be reached: ${message}`,
      503,
    )
  }
  return ours('InternalServerError', `The proxy failed: ${message}`, 500)
}

/** Whether the SDK has found no credentials, or could not refresh those that it had. */
export function isWithoutCredentials(error: unknown): boolean {
  return error instanceof Error && /Credential|TokenProvider/.test(error.name)
}

/** An error for the operator of the proxy. SDKs retry those with a status from 500 up. */
export function ours(name: string, message: string, status: number): Explained {
  return {
    error: new ServiceError(name, `isotherm: ${message}`, {}, status),
    requestId: undefined,
    isOurs: true,
  }
}

interface ErrorOfService extends Error {
  readonly $metadata: { readonly httpStatusCode?: number; readonly requestId?: string }
  readonly $fault: 'client' | 'server'
}

/** Checked by its members, because an application may have two copies of the SDK. */
function isOfService(error: unknown): error is ErrorOfService {
  const status = Object(Object(error).$metadata).httpStatusCode
  return error instanceof Error && '$fault' in error && typeof status === 'number'
}

function ofService(error: ErrorOfService): Explained {
  const given = error as unknown as Record<string, unknown>
  const members = Object.fromEntries(
    MEMBERS.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  )
  const { httpStatusCode = 400, requestId } = error.$metadata
  return {
    error: new ServiceError(error.name, error.message, members, httpStatusCode),
    requestId,
    isOurs: false,
  }
}

function ofLibrary(error: IsothermError): Explained {
  const { code } = error
  const message = failureText(error)
  if (FAULTS_OF_REQUEST.includes(code)) {
    const refusal = new ServiceError('ValidationException', `isotherm: ${message} (${code})`)
    return { error: refusal, requestId: undefined, isOurs: false }
  }
  if (MISSING_TABLES.includes(code)) return ours('ResourceNotFoundException', `${message} (${code})`, 400)
  // Not a ValidationException: an application may drop a request that is reported as invalid.
  return ours('InternalServerError', `${message} (${code})`, 500)
}

const NETWORK_CODES = /^(E[A-Z]+|UND_ERR_\w+|ERR_(SSL|TLS)_\w+|CERT_\w+|UNABLE_TO_\w+|\w+_CERT\w*)$/

function isOfNetwork(error: unknown): boolean {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown }
  return name === 'TimeoutError' || (typeof code === 'string' && NETWORK_CODES.test(code))
}
