import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { invalidOption } from '../../options/check.js'
import { isSdkClient } from '../../options/given-client.js'

/**
 * A client for DynamoDB of the AWS SDK v3: a `DynamoDBClient`, a `DynamoDBDocumentClient`, or either of them as `isotherm` returned
 * it.
 */
export interface PatternClient {
  readonly config: object
  readonly middlewareStack: object
}

/** What the patterns need of a client. They send low-level commands, which every client takes. */
export type Sender = Pick<DynamoDBClient, 'send'>

/** @throws IsothermError `options.invalid` for anything but a client */
export function toSender(pattern: string, client: unknown): Sender {
  if (isSdkClient(client)) return client as unknown as Sender
  throw invalidOption(
    `${pattern}: the client`,
    client,
    'a DynamoDBClient or a DynamoDBDocumentClient of the AWS SDK v3',
  )
}
