import { invalidOption } from './check.js'

/** The members of a client of the AWS SDK v3 that the library uses. */
interface ClientMembers {
  readonly send: unknown
  readonly config: unknown
  readonly middlewareStack: object
}

/**
 * Marks the stack of a sharded client, which a document client made from it has, too. A symbol of the process, because a
 * project may contain two copies of the library.
 */
const SHARDED = Symbol.for('isotherm.sharded')

/** Whether something that was given as a client looks like one of the AWS SDK v3. */
export function isSdkClient(client: unknown): client is ClientMembers {
  return ['send', 'config', 'middlewareStack'].every((member) => member in Object(client))
}

/** Marks the stack of a client that `isotherm` returns. */
export function markSharded(middlewareStack: object): void {
  Object.defineProperty(middlewareStack, SHARDED, { value: true })
}

/** Whether `isotherm` returned this client, or one that this was made from. */
export function isSharded(client: object): boolean {
  return SHARDED in (client as ClientMembers).middlewareStack
}

/**
 * Keys would get two suffixes, or stored keys would be taken for logical ones.
 * @param rule completes "it must be ..." for a sharded client
 * @throws IsothermError `options.invalid`
 */
export function requireUnshardedClient(
  client: unknown,
  rule = 'the original client, not the one that isotherm returned',
): void {
  if (!isSdkClient(client)) {
    throw invalidOption('client', client, 'a DynamoDBClient or a DynamoDBDocumentClient of the AWS SDK v3')
  }
  if (isSharded(client)) throw invalidOption('client', 'a sharded client', rule)
}
