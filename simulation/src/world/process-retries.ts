import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Process } from './process.js'
import { retryDelay } from './retry-delay.js'

type Strategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { acquireInitialRetryToken: unknown }
>
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>
type ErrorInfo = Parameters<Strategy['refreshRetryTokenForRetry']>[1]

/** The SDK's retries in a simulated process, which wait on the clock of the process and not on the machine's. */
export class ProcessRetries implements Strategy {
  readonly mode = 'standard'
  readonly #process: Process
  readonly #maxAttempts: number

  constructor(process: Process, maxAttempts: number) {
    this.#process = process
    this.#maxAttempts = maxAttempts
  }

  async acquireInitialRetryToken(): Promise<Token> {
    return tokenOf(0)
  }

  async refreshRetryTokenForRetry(token: Token, { errorType }: ErrorInfo): Promise<Token> {
    const retries = token.getRetryCount()
    const isRetryable = errorType === 'THROTTLING' || errorType === 'TRANSIENT'
    if (!isRetryable || retries + 1 >= this.#maxAttempts) throw new Error('No retry token available')
    const { clock, retryRandom } = this.#process
    await clock.sleep(
      retryDelay(retryRandom, errorType === 'THROTTLING' ? 'throttled' : 'transient', retries),
    )
    return tokenOf(retries + 1)
  }

  recordSuccess(): void {}
}

/** The wait is over when the token is handed out. */
function tokenOf(retries: number): Token {
  return { getRetryCount: () => retries, getRetryDelay: () => 0 }
}
