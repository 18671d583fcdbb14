import { SourceError } from '../source/source-error.js'

const CHECK_ADDRESS = 'Check the address: --upstream for a proxy, otherwise --endpoint.'

/** How the SDK and Node.js name a connection that could not be made or was lost. */
const NO_CONNECTION =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|TimeoutError|socket hang up/
/** Of a gateway that does not reach what is behind it: 502, 503 and 504. */
const LEAST_GATEWAY_STATUS = 502

const CURES: readonly (readonly [RegExp, string])[] = [
  // Before the credentials: the error has the name of a wrong signature.
  [/scoped to a valid region/, 'Give the region of the endpoint with --region.'],
  [/AccessDenied|NotAuthorized|Forbidden/, 'Give the credentials of this console that permission.'],
  [
    /CredentialsProvider|Could not load credentials|InvalidClientToken|UnrecognizedClient|ExpiredToken|InvalidSignature/,
    'Give valid credentials: with --profile, in the environment, or by a role. With an --endpoint on this machine, only --profile is used.',
  ],
  [NO_CONNECTION, CHECK_ADDRESS],
  [/EPROTO/, 'Check whether --endpoint has http or https.'],
  [/Region is missing/, 'Give one with --region.'],
  [/UnknownOperation|InvalidAction|not support/i, 'This endpoint does not have it.'],
]

/** Why a permission could not be used, in a sentence with what helps. */
export function remoteFailure(action: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  // An answer that the SDK could not read. Its text is for programmers.
  if (error instanceof SyntaxError && '$response' in error) {
    const why = 'the response is not JSON, so another server than a DynamoDB listens there'
    return new SourceError(`${action} failed: ${why}. ${CHECK_ADDRESS}`, { cause: error })
  }
  const { name = '', message = '', code = '' } = Object(error) as Record<string, string>
  const reason = [name === 'Error' || name === 'AggregateError' ? code : name, message]
    .filter((part) => part !== '')
    .join(': ')
  const cure = CURES.find(([pattern]) => pattern.test(reason))?.[1] ?? ''
  return new SourceError(`${action} failed: ${reason.replace(/[.:\s]+$/, '')}. ${cure}`.trim(), {
    cause: error,
  })
}

interface SentError {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Whether an error says that the endpoint was not reached. A refusal by the endpoint does not. */
export function isUnreachable(error: unknown): boolean {
  const { name = '', message = '', code = '', $metadata }: SentError = Object(error)
  const status = $metadata?.httpStatusCode
  if (status !== undefined) return status >= LEAST_GATEWAY_STATUS
  return NO_CONNECTION.test(`${name} ${code} ${message}`)
}

/** @throws SourceError that names the action */
export async function asked<Of>(action: string, work: Promise<Of>): Promise<Of> {
  try {
    return await work
  } catch (error) {
    throw remoteFailure(action, error)
  }
}
