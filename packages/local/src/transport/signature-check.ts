import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@isotherm/runtime'
import { ServiceError } from '../errors/service-error.js'
import {
  type Authorization,
  type Credential,
  parseAuthorization,
  parseCredential,
} from './authorization-header.js'
import { canonicalRequest } from './canonical-request.js'

/** An access key that an endpoint accepts. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** @throws ServiceError unless one of the accepted keys signed exactly this request recently. */
export type SignatureCheck = (request: IncomingMessage, body: Buffer) => void

/** The maximum difference between the clocks of client and service. */
const MAX_SKEW_MINUTES = 15
const BASIC_ISO = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
/** Any region name in valid form is accepted, because tables of every region are in this process. */
const REGION = /^[a-z0-9-]{1,64}$/
/** The services of this endpoint, by their signing names. */
const SIGNING_NAMES: ReadonlySet<string> = new Set(['dynamodb', 'monitoring'])

/**
 * Checks signatures of version 4 in the same order as the service. It is hand-written, because the SDK's package can
 * only sign: it adds its own headers, and cannot sign the headers that another signer chose. The tests compare it with
 * that package.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureCheck(keys: readonly AccessKey[], clock: Clock): SignatureCheck {
  const secrets = new Map(keys.map(({ accessKeyId, secretAccessKey }) => [accessKeyId, secretAccessKey]))
  return (request, body) => {
    const date = dateOf(request)
    const authorization = parseAuthorization(request.headers.authorization, date !== undefined)
    const signedAt = parseDate(date ?? '')
    checkSkew(signedAt, clock.now())
    checkSignedHeaders(request, authorization)
    const { accessKeyId, scope } = parseCredential(authorization)
    checkScope(scope, basicIso(signedAt))
    const secret = secrets.get(accessKeyId)
    if (secret === undefined) {
      throw new ServiceError(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      )
    }
    const signature = signatureOf(request, body, authorization, scope, basicIso(signedAt), secret)
    if (!isSame(signature, authorization.signature)) {
      throw invalid(
        'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
      )
    }
  }
}

function dateOf({ headers }: IncomingMessage): string | undefined {
  const date = headers['x-amz-date'] ?? headers.date
  return typeof date === 'string' && date !== '' ? date : undefined
}

/** Parses a date in the format of signers or of HTTP to milliseconds since the epoch. */
function parseDate(text: string): number {
  const milliseconds = Date.parse(text.replace(BASIC_ISO, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(milliseconds)) {
    throw new ServiceError(
      'IncompleteSignatureException',
      `Date must be in ISO-8601 'basic format'. Got '${text}'. See http://en.wikipedia.org/wiki/ISO_8601`,
    )
  }
  return milliseconds
}

function basicIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '')
}

function checkScope([date, region, service, terminator]: Credential['scope'], signedAt: string): void {
  const day = signedAt.slice(0, 8)
  const wrong = [
    REGION.test(region) ? '' : `Credential should be scoped to a valid region, not '${region}'.`,
    SIGNING_NAMES.has(service) ? '' : "Credential should be scoped to correct service: 'dynamodb'.",
    terminator === 'aws4_request'
      ? ''
      : `Credential should be scoped with a valid terminator: 'aws4_request', not '${terminator}'.`,
    date === day
      ? ''
      : `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${date}' != '${day}', from '${signedAt}'.`,
  ].filter((text) => text !== '')
  if (wrong.length > 0) throw invalid(wrong.join(' '))
}

function checkSkew(signedAt: number, now: number): void {
  const skew = MAX_SKEW_MINUTES * 60_000
  if (signedAt < now - skew) {
    throw invalid(
      `Signature expired: ${basicIso(signedAt)} is now earlier than ${basicIso(now - skew)} (${basicIso(now)} - ${MAX_SKEW_MINUTES} min.)`,
    )
  }
  if (signedAt > now + skew) {
    throw invalid(
      `Signature not yet current: ${basicIso(signedAt)} is still later than ${basicIso(now + skew)} (${basicIso(now)} + ${MAX_SKEW_MINUTES} min.)`,
    )
  }
}

/** Unless these headers are signed, the signature could be reused for another operation or host. */
function checkSignedHeaders(request: IncomingMessage, { signedHeaders }: Authorization): void {
  if (!signedHeaders.includes('host')) {
    throw invalid("'Host' must be a 'SignedHeader' in the AWS Authorization.")
  }
  for (const name of ['x-amz-date', 'x-amz-target']) {
    if (request.headers[name] !== undefined && !signedHeaders.includes(name)) {
      throw invalid(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`)
    }
  }
}

function signatureOf(
  request: IncomingMessage,
  body: Buffer,
  { signedHeaders }: Authorization,
  scope: Credential['scope'],
  signedAt: string,
  secret: string,
): string {
  const canonical = canonicalRequest(request, body, signedHeaders)
  const toSign = ['AWS4-HMAC-SHA256', signedAt, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<Buffer | string>((inner, part) => hmac(inner, part), `AWS4${secret}`)
  return hmac(key, toSign).toString('hex')
}

function sha256(data: string): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidSignatureException', message)
}
