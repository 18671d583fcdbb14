import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** What DynamoDB calls a refusal for lack of capacity. */
const THROTTLING_ERRORS = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

export function isThrottling(error: unknown): boolean {
  return error instanceof Error && THROTTLING_ERRORS.has(error.name)
}

/**
 * Tells of every attempt to put into `table` that is throttled. It stands below the retries, the SDK's and the library's,
 * so it sees the same with any strategy on any endpoint.
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
