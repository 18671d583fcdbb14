import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { HttpRequest } from '@smithy/core/protocols'
import { WireAnswer, type WireRequest } from '../wire/wire-message.js'
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.js'
import { readAnswer } from './read-answer.js'
import { RequestSigner } from './request-signer.js'
import { addressOf, type UpstreamEndpoint } from './upstream-endpoint.js'

/** The service rejects a signature whose time differs by five minutes and more. */
const MAX_SKEW_MILLISECONDS = 4 * 60_000

/** What a client of the SDK brings to an upstream: its credentials, and its connections. */
export type UpstreamConfig = Pick<DynamoDBClient['config'], 'credentials' | 'region' | 'requestHandler'>

interface SignedEndpoint {
  readonly endpoint: UpstreamEndpoint
  readonly signer: RequestSigner
}

/**
 * Forwards requests byte for byte, signed with the client's own credentials, over the client's own connections. It does
 * not retry, because the caller's SDK does.
 */
export class Upstream {
  readonly #config: UpstreamConfig
  readonly #clock: Clock
  readonly #resolve: () => Promise<UpstreamEndpoint>
  #endpoint: Promise<SignedEndpoint> | undefined
  #clockOffset = 0

  constructor(config: UpstreamConfig, clock: Clock, resolve: () => Promise<UpstreamEndpoint>) {
    this.#config = config
    this.#clock = clock
    this.#resolve = resolve
  }

  /** @throws errors of the network and of the credentials */
  async forward(request: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
    const signed = await this.sign(forwardedHeaders(request.headers), request.body)
    const { response } = await this.#config.requestHandler.handle(signed, { abortSignal: signal })
    const body = await readAnswer(response.body)
    if (response.statusCode >= 400) this.learnClock(response.headers.date)
    return new WireAnswer(response.statusCode, returnedHeaders(response.headers), body)
  }

  /** A request to this upstream, signed now. @throws errors of the credentials */
  async sign(headers: Record<string, string>, body: Buffer): Promise<HttpRequest> {
    const { endpoint, signer } = await this.#resolved()
    const { hostname, port, path } = endpoint
    const unsigned = {
      ...headers,
      host: port === undefined ? hostname : `${hostname}:${port}`,
      'content-length': String(body.length),
    }
    // Asked for each request, because they are refreshed.
    const credentials = await this.#config.credentials()
    const signed = signer.sign(
      { path, headers: unsigned, body },
      credentials,
      this.#clock.now() + this.#clockOffset,
    )
    return new HttpRequest({ method: 'POST', ...endpoint, headers: signed, body })
  }

  /** The address for people, such as `https://dynamodb.eu-central-1.amazonaws.com`. */
  async address(): Promise<string> {
    return addressOf((await this.#resolved()).endpoint)
  }

  /** A failure is not remembered: a missing region or profile may be there later. */
  #resolved(): Promise<SignedEndpoint> {
    this.#endpoint ??= this.#signedEndpoint().catch((error: unknown) => {
      this.#endpoint = undefined
      throw error
    })
    return this.#endpoint
  }

  async #signedEndpoint(): Promise<SignedEndpoint> {
    const [endpoint, region] = await Promise.all([this.#resolve(), this.#config.region()])
    return { endpoint, signer: new RequestSigner(region) }
  }

  /**
   * A signature by a wrong clock is rejected, and the next one uses the service's time, as in the SDK.
   * @returns whether the clock was wrong
   */
  learnClock(date: string | undefined): boolean {
    const served = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(served)) return false
    const offset = served - this.#clock.now()
    const wasWrong = Math.abs(offset - this.#clockOffset) > MAX_SKEW_MILLISECONDS
    if (wasWrong) this.#clockOffset = offset
    return wasWrong
  }
}
