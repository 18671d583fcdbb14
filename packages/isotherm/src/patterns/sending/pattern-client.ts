import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { invalidOption } from '../../options/check.js'

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

/** Set on the middleware of a client that `isotherm` returned. */
const SHARDED = Symbol.for('isotherm.sharded')

/** Whether the library shards tables of this client, and perhaps their indexes. */
export function isShardedClient(client: Sender): boolean {
  return SHARDED in (client as Sender & PatternClient).middlewareStack
}

/** @throws IsothermError `options.invalid` for anything but a client */
export function toSender(pattern: string, client: unknown): Sender {
  const isClient = ['send', 'config', 'middlewareStack'].every((member) => member in Object(client))
  if (isClient) return client as Sender
  throw invalidOption(
    `${pattern}: the client`,
    client,
    'a DynamoDBClient or a DynamoDBDocumentClient of the AWS SDK v3',
  )
}
