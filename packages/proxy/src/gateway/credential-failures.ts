import { ProxyError } from '../errors/proxy-error.js'
import type { WireAnswer } from '../wire/wire-message.js'
import type { Routed } from './gateway.js'
import { isWithoutCredentials } from './service-error-of.js'

/**
 * The errors of AWS for credentials that are not valid, or no longer. Missing permissions are not among them: they depend on the request.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const REFUSAL =
  /"__type"\s*:\s*"(?:[^"#]*#)?(ExpiredToken|ExpiredTokenException|UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|IncompleteSignatureException|MissingAuthenticationToken|MissingAuthenticationTokenException)"/

const OF_KEY =
  'All requests fail until the proxy has valid ones: renew the profile or role, or start the proxy with others.'
const OF_SIGNATURE = 'Check their secret access key, and the clock of this machine.'

/** The type is at the beginning or the end of a short body. */
const MAX_REFUSAL_BYTES = 4_096

/**
 * Reports that the proxy has no valid credentials for its upstream: once, and again only if they worked in the meantime. Callers get
 * the error of each request, and could mistake it for one of their own credentials.
 */
export class CredentialFailures {
  readonly #report: (error: unknown, operation: string | undefined) => void
  #isReported = false

  constructor(report: (error: unknown, operation: string | undefined) => void) {
    this.#report = report
  }

  /** The outcome of a request, whose failure is left out if it is reported here. */
  noted(routed: Routed): Routed {
    const { answer, route, operation, failure } = routed
    if (answer.status < 400) {
      // Only the upstream knows whether they are valid.
      if (route !== 'refused') this.#isReported = false
      return routed
    }
    const error = isWithoutCredentials(failure)
      ? failure
      : route === 'refused'
        ? undefined
        : refusalOf(answer)
    if (error === undefined) return routed
    if (!this.#isReported) {
      this.#isReported = true
      this.#report(error, operation)
    }
    return { ...routed, failure: undefined }
  }
}

/** Without the text of the upstream, which may repeat parts of the signed request. */
function refusalOf({ status, body }: WireAnswer): ProxyError | undefined {
  if (status >= 500 || body.length > MAX_REFUSAL_BYTES) return undefined
  const [, name] = REFUSAL.exec(body.toString('latin1')) ?? []
  if (name === undefined) return undefined
  return new ProxyError(
    'upstream.credentials',
    `The upstream refuses the credentials of the proxy (${name}). ${/Signature/.test(name) ? OF_SIGNATURE : OF_KEY}`,
    { name },
  )
}
