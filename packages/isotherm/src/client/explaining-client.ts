import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'

/** One physical request, as it would be sent to DynamoDB. */
export interface ExplainedRequest {
  /** The DynamoDB operation, such as `PutItem`. */
  readonly operation: string
  /** The input in the low-level form, with physical keys. */
  readonly input: Readonly<Record<string, unknown>>
}

const ITEM_READS = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan'])

/**
 * A client that records requests and sends no write.
 *
 * @param sendsReads whether reads are still sent, because a write uses them to find its item
 */
export function explainingClient(
  client: PhysicalClient,
  sendsReads: boolean,
  requests: ExplainedRequest[],
): PhysicalClient {
  const send = async (command: AnyCommand, options?: SendOptions) => {
    const operation = operationOf(command)
    requests.push({ operation, input: command.input as ExplainedRequest['input'] })
    if (isMove(command)) throw new EndOfExplanation()
    const isRead = ITEM_READS.has(operation)
    if (isRead && sendsReads) return client.send(command as never, options)
    return { $metadata: { attempts: 0 }, ...(isRead ? nothingIn(command) : {}) }
  }
  return Object.create(client, { send: { value: send } })
}

/** An unfinished move must be completed first, and all later requests depend on it. */
class EndOfExplanation extends Error {}

export function isEndOfExplanation(error: unknown): boolean {
  return error instanceof EndOfExplanation
}

function isMove({ input }: AnyCommand): boolean {
  if ('Item' in input && Object.hasOwn(Object(input.Item), MOVE_ATTRIBUTES.moved)) return true
  const members = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : []
  return members.some((member) => Object.hasOwn(member?.Put?.Item ?? {}, MOVE_ATTRIBUTES.moved))
}

/** The response of a table without items. */
function nothingIn({ input }: AnyCommand): object {
  const members = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : []
  return { Count: 0, ScannedCount: 0, Items: [], Responses: members.map(() => ({})) }
}
