import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** The part of the SDK's per-request options that the library itself looks at; all of them are handed on. */
export interface SendOptions {
  readonly abortSignal?: AbortSignal
}

/** The client that was given, as the library uses it: it sends stock low-level commands through it. */
export type PhysicalClient = Pick<DynamoDBClient, 'send' | 'config' | 'middlewareStack'>

/** Any command object of the SDK, low-level or document. */
export interface AnyCommand {
  readonly input: object
  readonly middlewareStack: { applyToStack(stack: never): void }
  resolveMiddleware(stack: never, configuration: never, options: never): unknown
}
