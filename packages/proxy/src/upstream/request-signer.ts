import { createHash, createHmac } from 'node:crypto'

/** The credentials of a client of the SDK, which change when they are refreshed. */
export interface SigningCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** The parts of a request that its signature depends on. */
export interface SignedParts {
  readonly path: string
  /** In lower case, with the host. */
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
}

interface SigningKey {
  readonly secret: string
  readonly scope: string
  readonly key: Buffer
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 'dynamodb'

/** Headers that are signed besides those of AWS. A proxy on the way may change others. */
const SIGNED: ReadonlySet<string> = new Set(['host', 'content-type', 'content-encoding'])

/**
 * Signs POST requests of one region with Signature Version 4.
 *
 * `@smithy/signature-v4` does it for any request, and takes four times as long: it copies the request, asks for credentials and region, and
 * hashes the secret to find the key of the day. A test compares the two.
 *
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class RequestSigner {
  readonly #region: string
  #key: SigningKey | undefined

  constructor(region: string) {
    this.#region = region
  }

  /** The headers of the request, with those of its signature. */
  sign(
    { path, headers, body }: SignedParts,
    { accessKeyId, secretAccessKey, sessionToken }: SigningCredentials,
    milliseconds: number,
  ): Record<string, string> {
    const time = new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '')
    const all: Record<string, string> = { ...headers, 'x-amz-date': time }
    if (sessionToken !== undefined) all['x-amz-security-token'] = sessionToken
    const names = Object.keys(all).filter(isSigned).sort()
    const list = names.join(';')
    let canonical = `POST\n${canonicalPath(path)}\n\n`
    for (const name of names) canonical += `${name}:${(all[name] ?? '').trim().replace(/\s+/g, ' ')}\n`
    canonical += `\n${list}\n${sha256(body)}`
    const { scope, key } = this.#keyOf(secretAccessKey, time.slice(0, 8))
    const signature = createHmac('sha256', key)
      .update(`${ALGORITHM}\n${time}\n${scope}\n${sha256(canonical)}`)
      .digest('hex')
    all.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
    return all
  }

  /** The key of one day. */
  #keyOf(secret: string, day: string): SigningKey {
    const scope = `${day}/${this.#region}/${SERVICE}/aws4_request`
    const known = this.#key
    if (known?.scope === scope && known.secret === secret) return known
    let key = Buffer.from(`AWS4${secret}`)
    for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
    this.#key = { secret, scope, key }
    return this.#key
  }
}

function isSigned(name: string): boolean {
  return name.startsWith('x-amz-') || SIGNED.has(name)
}

function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Each segment is encoded once more, as for all services but S3. The path of the API is nearly always `/`. */
function canonicalPath(path: string): string {
  return path === '/' ? path : path.split('/').map(escaped).join('/')
}

function escaped(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
