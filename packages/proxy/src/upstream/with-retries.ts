import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { retryMiddleware } from '@smithy/core/retry'
import type { Attempt, AttemptArgs } from './guarded-attempt.js'

type Config = Pick<DynamoDBClient['config'], 'retryStrategy' | 'maxAttempts'>
type Context = Parameters<ReturnType<typeof retryMiddleware>>[1]

/** An answer as the SDK's retries return it. */
interface Answered {
  readonly response: unknown
  readonly output: { readonly $metadata: { attempts?: number; totalRetryDelay?: number } }
}

/** Sends an attempt, and more of them while the client's retry strategy has any. */
export type WithRetries = <Answer extends Answered>(
  attempt: Attempt<Answer>,
  args: AttemptArgs,
  context: Context,
) => Promise<Answer>

/**
 * The SDK's retries. Its middleware creates an error with a stack trace for each request, in case it fails, so it gets only requests whose
 * first attempt has failed.
 */
export function withRetries(config: Config): WithRetries {
  return async (attempt, args, context) => {
    const strategy = await config.retryStrategy()
    // An adaptive strategy delays first attempts, too.
    if (!('acquireInitialRetryToken' in strategy) || Object(strategy).mode !== 'standard') {
      return retried(config, attempt, args, context)
    }
    const token = await strategy.acquireInitialRetryToken('')
    let failure: { readonly error: unknown } | undefined
    try {
      const answer = await attempt(args)
      strategy.recordSuccess(token)
      answer.output.$metadata.attempts = 1
      answer.output.$metadata.totalRetryDelay = 0
      return answer
    } catch (error) {
      failure = { error }
    }
    const begun = {
      maxAttempts: () => config.maxAttempts(),
      acquireInitialRetryToken: async () => token,
      refreshRetryTokenForRetry: strategy.refreshRetryTokenForRetry.bind(strategy),
      recordSuccess: strategy.recordSuccess.bind(strategy),
    }
    const next: typeof attempt = (again) => {
      if (failure === undefined) return attempt(again)
      const { error } = failure
      failure = undefined
      return Promise.reject(error)
    }
    return retried({ ...config, retryStrategy: async () => begun }, next, args, context)
  }
}

async function retried<Answer extends Answered>(
  config: Config,
  attempt: Attempt<Answer>,
  args: AttemptArgs,
  context: Context,
): Promise<Answer> {
  const answer = await retryMiddleware(config)(attempt as never, context)(args)
  return answer as unknown as Answer
}
