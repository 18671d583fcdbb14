import { IsothermError } from '../errors/isotherm-error.js'
import { MOVE_ATTRIBUTES, setsMark } from '../protocol/index.js'
import { operationOf } from '../sdk/operation.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import type { TableRuntime } from './table-runtime.js'

const READING = new Set(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan'])

/**
 * Runs the request with a client that records requests instead of sending them.
 *
 * A read is explained by its first requests, as for a table without items. A write must know where its item is, so its
 * preceding reads are recorded and sent. The shard map is read but not written.
 */
export async function explained(
  operation: string,
  touched: TableRuntime,
  tables: TablesByName<TableRuntime>,
  carryOut: (touched: TableRuntime, tables: TablesByName<TableRuntime>) => Promise<unknown>,
): Promise<readonly ExplainedRequest[]> {
  const requests: ExplainedRequest[] = []
  const client = explainingClient(tables.client, !READING.has(operation), requests)
  const copies = new Map([touched, ...tables].map((table) => [table, explainedTable(table, client)]))
  const copy = copies.get(touched) ?? touched
  await carryOut(copy, new TablesByName(client, [...copies.values()])).catch((error: unknown) => {
    if (!isEndOfExplanation(error) && !(requests.length > 0 && isMissingStart(error))) throw error
  })
  return requests
}

/** The table with that client. An unknown key is not added to the shard map, and nothing is counted. */
function explainedTable(table: TableRuntime, client: TableRuntime['client']): TableRuntime {
  const views: TableRuntime['views'] = {
    known: (key) => table.views.known(key),
    forRead: (key, how) => table.views.forRead(key, how),
    forWrite: (key) => table.views.forRead(key, { consistent: false }),
    guess: () => undefined,
    oneShard: (key) => table.views.oneShard(key),
    checkTable: () => undefined,
    viewNow: (key) => table.views.viewNow(key),
  }
  const heat: TableRuntime['heat'] = {
    offered: () => {},
    accepted: () => {},
    throttled: async () => 'unknown',
  }
  const readHeat: TableRuntime['readHeat'] = {
    answered: () => {},
    throttled: async () => 'unknown',
    scanThrottled: async () => 'unknown',
  }
  return Object.create(table, {
    client: { value: client },
    views: { value: views },
    heat: { value: heat },
    readHeat: { value: readHeat },
  })
}

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
function explainingClient(
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

/** A move must be completed first, and all later requests depend on it. */
class EndOfExplanation extends Error {}

function isEndOfExplanation(error: unknown): boolean {
  return error instanceof EndOfExplanation
}

/** The item of a start key is in no shard, because an explained read finds nothing. */
function isMissingStart(error: unknown): boolean {
  return error instanceof IsothermError && error.code === 'cursor.invalid'
}

function isMove({ input }: AnyCommand): boolean {
  if (setsMark(input)) return true
  if ('Item' in input && Object.hasOwn(Object(input.Item), MOVE_ATTRIBUTES.moved)) return true
  const members = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : []
  return members.some((member) => Object.hasOwn(member?.Put?.Item ?? {}, MOVE_ATTRIBUTES.moved))
}

/** The response of a table without items. */
function nothingIn({ input }: AnyCommand): object {
  const members = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : []
  return { Count: 0, ScannedCount: 0, Items: [], Responses: members.map(() => ({})) }
}
