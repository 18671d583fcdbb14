import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { WireAnswer } from '../wire/wire-message.js'

/** Forwards the request that a command was decoded from. */
export type Pass = () => Promise<WireAnswer>

/**
 * The client that the library gets. It sends commands as the SDK does, except a command that the library hands down
 * unchanged: then the original request is forwarded, with every byte.
 */
export class PassingClient {
  readonly client: DynamoDBClient
  readonly #passes = new WeakMap<object, Pass>()

  constructor(client: DynamoDBClient) {
    const passes = this.#passes
    const send = (command: object, ...options: unknown[]): unknown => {
      const pass = passes.get(command)
      return pass === undefined ? client.send(command as never, ...(options as never[])) : pass()
    }
    this.client = Object.create(client, { send: { configurable: true, writable: true, value: send } })
  }

  /** Remembers the original request of a command. */
  remember(command: object, pass: Pass): void {
    this.#passes.set(command, pass)
  }
}
