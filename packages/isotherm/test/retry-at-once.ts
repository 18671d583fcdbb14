import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Makes the client retry retryable errors without limit and without a delay. */
export function retryAtOnce(client: DynamoDBClient, beforeRetry: () => Promise<void> = async () => {}): void {
  const token = { getRetryCount: () => 1, getRetryDelay: () => 0 }
  const strategy = {
    acquireInitialRetryToken: async () => token,
    refreshRetryTokenForRetry: async (_token: unknown, { errorType }: { errorType: string }) => {
      if (errorType === 'CLIENT_ERROR') throw new Error('not retryable')
      await beforeRetry()
      return token
    },
    recordSuccess: () => {},
  }
  Object.assign(client.config, { retryStrategy: async () => strategy })
}
