import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** The SDK's per-request options that the library uses itself. All options are passed on. */
export interface SendOptions {
  readonly abortSignal?: AbortSignal
}

/** The client that was passed in. The library sends stock low-level commands through it. */
export type PhysicalClient = Pick<DynamoDBClient, 'send' | 'config' | 'middlewareStack'>

/** Any command object of the SDK, low-level or document. */
export interface AnyCommand {
  readonly input: object
  readonly middlewareStack: {
    /** Called by the client that sends the command. */
    applyToStack(stack: never): void
  }
  /** Called by the client that sends the command. */
  resolveMiddleware(stack: never, configuration: never, options: never): unknown
}
