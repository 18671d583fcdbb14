import { ServiceError } from '../wire/service-error.js'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const PARAMETERS = ['Credential', 'Signature', 'SignedHeaders'] as const

/** What the header `Authorization` of signature version 4 says. */
export interface Authorization {
  readonly accessKeyId: string
  /** Date, region, service and `aws4_request`: what the signing key is made for. */
  readonly scope: readonly [date: string, region: string, service: string, terminator: string]
  /** In the order in which they were signed, in lower case. */
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

/**
 * Reads the header as the service does, and refuses it in the service's words.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * @throws ServiceError MissingAuthenticationTokenException or IncompleteSignatureException
 */
export function parseAuthorization(header: string | undefined, hasDate: boolean): Authorization {
  if (header === undefined || !header.startsWith('AWS4-')) {
    throw new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token')
  }
  const [algorithm = '', ...rest] = header.split(' ')
  const parameters = new Map<string, string>()
  for (const part of rest.join(' ').split(',')) {
    const text = part.trim()
    const equals = text.indexOf('=')
    if (equals > 0) parameters.set(text.slice(0, equals), text.slice(equals + 1))
  }
  const missing: string[] = PARAMETERS.filter((name) => !parameters.get(name)).map(
    (name) => `Authorization header requires '${name}' parameter.`,
  )
  if (!hasDate) {
    missing.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
  }
  // The service repeats the whole header; the algorithm is enough, and nobody's signature ends up in a log.
  if (missing.length > 0) throw incomplete(`${missing.join(' ')} Authorization=${algorithm}`)
  if (algorithm !== ALGORITHM) throw incomplete(`Unsupported AWS 'algorithm': '${algorithm}'.`)
  const credential = (parameters.get('Credential') ?? '').split('/')
  const [accessKeyId, date, region, service, terminator] = credential
  if (
    credential.length !== 5 ||
    accessKeyId === undefined ||
    date === undefined ||
    region === undefined ||
    service === undefined ||
    terminator === undefined
  ) {
    throw incomplete(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential.join('/')}'`,
    )
  }
  return {
    accessKeyId,
    scope: [date, region, service, terminator],
    signedHeaders: (parameters.get('SignedHeaders') ?? '').toLowerCase().split(';'),
    signature: parameters.get('Signature') ?? '',
  }
}

function incomplete(message: string): ServiceError {
  return new ServiceError('IncompleteSignatureException', message)
}
