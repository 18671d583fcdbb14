import { uniqueRequestId } from './unique-request-id.js'

/** A response in the form sent over HTTP. The body is text, except in binary protocols. */
export interface WireResponse<Body = string> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** The size of the body in bytes. For an ASCII body it equals the number of characters. */
  readonly bytes: number
}

export type Headers = { readonly [name: string]: string }

const SAME_IN_ALL = { server: 'Server', 'content-type': 'application/x-amz-json-1.0' }
const FIRST_LINES = `${linesOf(SAME_IN_ALL)}content-length: `

/** A response in AWS JSON 1.0. */
export class JsonResponse<Body = string> implements WireResponse<Body> {
  readonly status: number
  readonly body: Body
  readonly bytes: number
  readonly #requestId = uniqueRequestId()
  readonly #checksum: number
  readonly #more: Headers | undefined

  /**
   * @param checksum of the body, by CRC-32.
   * @param more headers besides those of every response.
   */
  constructor(status: number, body: Body, bytes: number, checksum: number, more: Headers | undefined) {
    this.status = status
    this.body = body
    this.bytes = bytes
    this.#checksum = checksum
    this.#more = more
  }

  get headers(): Headers {
    return {
      ...SAME_IN_ALL,
      'content-length': String(this.bytes),
      'x-amzn-requestid': this.#requestId,
      'x-amz-crc32': String(this.#checksum),
      ...this.#more,
    }
  }

  /**
   * The same headers as lines. Each line of a header that is put together from its name and value costs four texts, so the
   * constant parts are written here at once.
   */
  get headerLines(): string {
    const lines = `${FIRST_LINES}${this.bytes}\r\nx-amzn-requestid: ${this.#requestId}\r\nx-amz-crc32: ${this.#checksum}\r\n`
    return this.#more === undefined ? lines : lines + linesOf(this.#more)
  }
}

function linesOf(headers: Headers): string {
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return lines
}
