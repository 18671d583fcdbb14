import type { ExplainedRequest } from '../explain/explaining-client.js'
import type { AnyCommand } from '../sdk/physical-client.js'

/** What a client that `isotherm` returns can do besides sending commands. */
export interface IsothermMethods {
  /**
   * The requests that would be sent now for the command, with physical keys, in low-level form. Nothing is written. A
   * reading command is answered as by a table without items, so what it would ask next, after what it found, is not
   * among them. A writing command has to know where its items are, so the reads by which it finds out are sent, and
   * listed; so is what the shard map is asked, which is not listed.
   *
   * @throws what `send` would throw before it sends the first request
   * @example
   * const [request] = await db.explain(new GetCommand({ TableName: 'orders', Key: { customer: 'c', order_id: '7' } }))
   * console.log(request?.operation, request?.input)
   */
  explain(command: AnyCommand): Promise<readonly ExplainedRequest[]>
}
