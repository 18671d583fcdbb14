import { ServiceError } from '../errors/service-error.js'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const PARAMETERS = ['Credential', 'Signature', 'SignedHeaders'] as const

/** The parts of a signature version 4 `Authorization` header, as far as present. */
export interface Authorization {
  readonly algorithm: string
  readonly credential: string
  /** In the order of signing, in lower case. */
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

/** The access key that signed a request, and the scope of the signature. */
export interface Credential {
  readonly accessKeyId: string
  readonly scope: readonly [date: string, region: string, service: string, terminator: string]
}

/**
 * Parses the header as the service does, and rejects it with the service's texts.
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
  // The service repeats the whole header. Only the algorithm is repeated here, so that no signature appears in a log.
  if (missing.length > 0) throw incomplete(`${missing.join(' ')} Authorization=${algorithm}`)
  return {
    algorithm,
    credential: parameters.get('Credential') ?? '',
    signedHeaders: (parameters.get('SignedHeaders') ?? '').toLowerCase().split(';'),
    signature: parameters.get('Signature') ?? '',
  }
}

/** Parses the credential. @throws ServiceError IncompleteSignatureException */
export function parseCredential({ algorithm, credential }: Authorization): Credential {
  if (algorithm !== ALGORITHM) {
    throw incomplete(`Unsupported AWS 'algorithm': '${algorithm}' (only ${ALGORITHM} for now). `)
  }
  const [accessKeyId, date, region, service, terminator, ...more] = credential.split('/')
  if (
    accessKeyId === undefined ||
    date === undefined ||
    region === undefined ||
    service === undefined ||
    terminator === undefined ||
    more.length > 0
  ) {
    throw incomplete(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
    )
  }
  return { accessKeyId, scope: [date, region, service, terminator] }
}

function incomplete(message: string): ServiceError {
  return new ServiceError('IncompleteSignatureException', message)
}
