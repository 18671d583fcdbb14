import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

const unchanged = (logged: never) => logged
/** Only the SDK's logging reads it, and its document client replaces the copies in the same way. */
const NO_COPIES = { overrideInputFilterSensitiveLog: unchanged, overrideOutputFilterSensitiveLog: unchanged }

/**
 * Spares requests the copies of input and output that the SDK makes along their schemas for its default logger, whose methods do
 * nothing. An application may replace these methods at any time, and then gets every copy.
 */
export function spareLogCopies({ config, middlewareStack }: DynamoDBClient): void {
  const { logger } = config
  const { info, error } = logger
  middlewareStack.add(
    (next, context) => (args) => {
      if (logger.info === info && logger.error === error) context.dynamoDbDocumentClientOptions ??= NO_COPIES
      return next(args)
    },
    { step: 'initialize', priority: 'high', name: 'spareLogCopiesMiddleware' },
  )
}
