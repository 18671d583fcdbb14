import { CommandError, EXIT_FAILED } from './command-error.js'

/** What helps, by the error's name, code and text. */
const CURES: readonly (readonly [pattern: RegExp, cure: string])[] = [
  [/AccessDenied|NotAuthorized/, 'Allow these credentials that action, or use others with --profile.'],
  [/Region is missing/, 'Name one with --region or AWS_REGION.'],
  [
    /CredentialsProvider|TokenProvider|InvalidClientToken|UnrecognizedClient|ExpiredToken|InvalidSignature/,
    'Give valid credentials: with --profile, in the environment, or by a role.',
  ],
  [/ResourceNotFound/, 'Check --table, --region, --endpoint and --profile.'],
  [
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError/,
    'Check --endpoint and --region, and that something listens there.',
  ],
]

/**
 * An error of an endpoint, or of the way to it, as one sentence with what helps.
 * @param subject what could not be read or written, such as the name of a table
 */
export function endpointFailure(subject: string, error: Error): CommandError {
  const { code } = error as { readonly code?: unknown }
  // The errors of Node have no name of their own, and those of several addresses have no message.
  const name = /^(Aggregate)?Error$/.test(error.name) ? code : error.name
  const reason = [name, error.message].filter((part) => typeof part === 'string' && part !== '').join(': ')
  const cure = CURES.find(([pattern]) => pattern.test(reason))?.[1]
  const sentence = `${subject}: ${reason.replace(/[.\s]+$/, '')}.`
  return new CommandError(cure === undefined ? sentence : `${sentence} ${cure}`, EXIT_FAILED, {
    cause: error,
  })
}
