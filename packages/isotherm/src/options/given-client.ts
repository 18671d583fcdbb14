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
