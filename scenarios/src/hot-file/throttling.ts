import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** DynamoDB's errors for a lack of capacity. */
const THROTTLING_ERRORS = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

export function isThrottling(error: unknown): boolean {
  return error instanceof Error && THROTTLING_ERRORS.has(error.name)
}

/**
 * Reports every throttled attempt to put into `table`. It runs below the retries of the SDK and the library, so it sees
 * the same with any strategy on any endpoint.
 */
export function watchThrottledPuts(client: DynamoDBClient, table: string, onThrottled: () => void): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (context.commandName === 'PutItemCommand' && tableOf(args.input) === table && isThrottling(error))
          onThrottled()
        throw error
      }
    },
    { step: 'deserialize', priority: 'high', name: 'watchThrottledPuts' },
  )
}

function tableOf(input: object): unknown {
  return 'TableName' in input ? input.TableName : undefined
}
