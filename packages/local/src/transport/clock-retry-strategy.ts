import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { SendingRate } from './sending-rate.js'

type Strategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { acquireInitialRetryToken: unknown }
>
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>
type ErrorInfo = Parameters<Strategy['refreshRetryTokenForRetry']>[1]

/**
 * The SDK's standard retries for DynamoDB, with delays on an injected clock. With the SDK's own strategy, code on
 * virtual time would wait in real time.
 *
 * The numbers are those of the SDK since November 2026:
 * https://aws.amazon.com/blogs/developer/updated-default-retry-behavior-for-aws-sdks-and-tools/
 */
const THROTTLING_DELAY = 1000
const TRANSIENT_DELAY = 25
const MAX_DELAY = 20_000
const QUOTA = 500
const THROTTLING_COST = 5
const TRANSIENT_COST = 14

/** The SDK's attempts for a DynamoDB request, including the first. */
export const DEFAULT_ATTEMPTS = 4

interface ClockToken extends Token {
  readonly cost: number
}

export class ClockRetryStrategy implements Strategy {
  readonly mode = 'standard'
  readonly #clock: Clock
  readonly #random: Random
  readonly #maxAttempts: () => Promise<number>
  #quota = QUOTA

  constructor(clock: Clock, random: Random, maxAttempts: () => Promise<number>) {
    this.#clock = clock
    this.#random = random
    this.#maxAttempts = maxAttempts
  }

  async acquireInitialRetryToken(): Promise<Token> {
    return newToken(0, 0)
  }

  /** Waits, and then returns the token for the next attempt. Rejects when there is no further attempt. */
  async refreshRetryTokenForRetry(token: Token, { errorType }: ErrorInfo): Promise<Token> {
    const cost = errorType === 'THROTTLING' ? THROTTLING_COST : TRANSIENT_COST
    const isRetryable = errorType === 'THROTTLING' || errorType === 'TRANSIENT'
    const isLast = token.getRetryCount() + 1 >= (await this.#maxAttempts())
    if (!isRetryable || isLast || this.#quota < cost) throw new Error('No retry token available')
    this.#quota -= cost
    const base = errorType === 'THROTTLING' ? THROTTLING_DELAY : TRANSIENT_DELAY
    const delay = Math.min(MAX_DELAY, this.#random.next() * base * 2 ** token.getRetryCount())
    await this.#clock.sleep(delay)
    return newToken(token.getRetryCount() + 1, cost, delay)
  }

  recordSuccess(token: Token): void {
    const { cost = 0 } = token as Partial<ClockToken>
    this.#quota = Math.min(QUOTA, this.#quota + (cost === 0 ? 1 : cost))
  }
}

/** The SDK's adaptive mode: standard retries for a client whose requests also wait for its sending rate. */
export class AdaptiveClockRetryStrategy implements Strategy {
  readonly mode = 'adaptive'
  readonly #standard: ClockRetryStrategy
  readonly #rate: SendingRate

  constructor(clock: Clock, random: Random, maxAttempts: () => Promise<number>) {
    this.#standard = new ClockRetryStrategy(clock, random, maxAttempts)
    this.#rate = new SendingRate(clock)
  }

  async acquireInitialRetryToken(): Promise<Token> {
    const token = await this.#standard.acquireInitialRetryToken()
    await this.#rate.turn()
    return token
  }

  async refreshRetryTokenForRetry(token: Token, error: ErrorInfo): Promise<Token> {
    if (error.errorType === 'THROTTLING') this.#rate.throttled()
    else this.#rate.succeeded()
    const next = await this.#standard.refreshRetryTokenForRetry(token, error)
    await this.#rate.turn()
    return next
  }

  recordSuccess(token: Token): void {
    this.#rate.succeeded()
    this.#standard.recordSuccess(token)
  }
}

/**
 * The token's delay is 0, because the wait is over when it is returned, so the SDK sets no timer. The log records the
 * time already waited.
 */
function newToken(retries: number, cost: number, waited = 0): ClockToken {
  const $retryLog = { acquisitionDelay: waited }
  return { cost, getRetryCount: () => retries, getRetryDelay: () => 0, $retryLog } as ClockToken
}
