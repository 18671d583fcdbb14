/** A request of the API, as it came in over HTTP. */
export interface WireRequest {
  /** The header `X-Amz-Target`, such as `DynamoDB_20120810.PutItem`. */
  readonly target: string | undefined
  /** All headers, in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The body as it was sent, which may be compressed. */
  readonly body: Buffer
  /** The body without its content encoding. */
  readonly text: Buffer
}

/** A response of the API, as it goes out over HTTP. */
export class WireAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer

  constructor(status: number, headers: { readonly [name: string]: string }, body: Buffer) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
