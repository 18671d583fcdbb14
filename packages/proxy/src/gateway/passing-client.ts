import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type ItemCommand, operationOf, shortSend } from '../upstream/short-send.js'
import type { Upstream } from '../upstream/upstream.js'
import type { WireAnswer } from '../wire/wire-message.js'
import { ITEM_OPERATIONS } from './item-operations.js'

/** Forwards the request that a command was decoded from. */
export type Pass = () => Promise<WireAnswer>

/**
 * The client that the library gets. It sends commands for items by a shorter way than the SDK's, and all others as the SDK
 * does. If the library hands a caller's command down unchanged, the original request is forwarded, with every byte.
 */
export class PassingClient {
  readonly client: DynamoDBClient
  readonly #passes = new WeakMap<object, Pass>()

  constructor(client: DynamoDBClient, upstream: Upstream) {
    const passes = this.#passes
    const short = shortSend(client, upstream)
    const send = (command: ItemCommand, options?: Parameters<typeof short>[1]): unknown => {
      const pass = passes.get(command)
      if (pass !== undefined) return pass()
      const sent = ITEM_OPERATIONS.has(operationOf(command)) ? short(command, options) : undefined
      return sent ?? client.send(command as never, options as never)
    }
    this.client = Object.create(client, { send: { configurable: true, writable: true, value: send } })
  }

  /** Remembers the original request of a command. */
  remember(command: object, pass: Pass): void {
    this.#passes.set(command, pass)
  }
}
