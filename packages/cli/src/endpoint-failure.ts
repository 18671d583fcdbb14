import { CommandError, EXIT_FAILED } from './command-error.js'

/** Errors of a missing permission. */
const DENIED = /AccessDenied|NotAuthorized/

/** What helps, by the error's name, code and text. */
const CURES: readonly (readonly [pattern: RegExp, cure: string])[] = [
  [DENIED, 'Allow these credentials that action, or use others with --profile.'],
  [/Region is missing/, 'Name one with --region or AWS_REGION.'],
  // Before the credentials: the error has the name of a wrong signature.
  [/scoped to a valid region/, 'Give the region of the endpoint with --region.'],
  [
    /CredentialsProvider|TokenProvider|InvalidClientToken|UnrecognizedClient|ExpiredToken|InvalidSignature/,
    'Give valid credentials: with --profile, in the environment, or by a role. With an --endpoint on this machine, only --profile is used.',
  ],
  [/ResourceNotFound/, 'Check --table, --region, --endpoint and --profile.'],
  [/^the response is not JSON/, 'Check --endpoint.'],
  [/EPROTO/, 'Check whether --endpoint has http or https.'],
  [
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError/,
    'Check --endpoint and --region, and that something listens there.',
  ],
]

const FOREIGN = 'the response is not JSON, so another server than a DynamoDB listens there'

/** Whether an answer could not be read, as of a web server. The SDK's text is for programmers. */
export function isForeign(error: unknown): boolean {
  return error instanceof SyntaxError && '$response' in error
}

/** Whether a permission is missing, also behind a sentence that says so. */
export function isDenied(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return DENIED.test(error.name) || isDenied(error.cause)
}

/**
 * An error of an endpoint, or of the way to it, as one sentence with what helps.
 * @param subject what could not be read or written, such as the name of a table
 */
export function endpointFailure(subject: string, cause: unknown): CommandError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  // Those of several addresses have no message.
  const reason = isForeign(error)
    ? FOREIGN
    : [failureName(error), error.message].filter((part) => part !== '').join(': ')
  const cure = CURES.find(([pattern]) => pattern.test(reason))?.[1]
  const sentence = `${subject}: ${reason.replace(/[.:\s]+$/, '')}.`
  return new CommandError(cure === undefined ? sentence : `${sentence} ${cure}`, EXIT_FAILED, {
    cause: error,
  })
}

/** The errors of Node have a code in the place of a name of their own. Empty for an error that has neither. */
export function failureName(error: Error): string {
  if (!/^(Aggregate)?Error$/.test(error.name)) return error.name
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}
