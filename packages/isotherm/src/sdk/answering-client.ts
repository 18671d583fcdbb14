import { IsothermError } from '../errors/isotherm-error.js'
import { operationOf } from './operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from './physical-client.js'

/**
 * A client for the library's own requests. A mock of the client that was passed in does not know these requests and
 * returns nothing. Without this check that would be an obscure error somewhere else.
 *
 * @throws IsothermError `client.no-answer` when a request is sent
 */
export function answeringClient(client: PhysicalClient): PhysicalClient {
  const send = (command: AnyCommand, options?: SendOptions) => {
    const answer: unknown = client.send(command as never, options)
    if (typeof answer === 'object' && answer !== null) return answer
    const operation = operationOf(command)
    throw new IsothermError(
      'client.no-answer',
      `The client that isotherm was given returned ${String(answer)} for a ${operation}, as mocks do. ` +
        'A sharded command becomes other requests, with physical keys. Mock the client that isotherm returned, with mockClient(db), or give isotherm a client of an engine such as @isotherm/local.',
      { operation },
    )
  }
  return Object.create(client, { send: { value: send } })
}
