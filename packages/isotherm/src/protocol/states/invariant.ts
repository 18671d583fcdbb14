/**
 * Asserts an invariant of the protocol. These assertions stay on in production: they are cheap, and work that fails is better than
 * an item that is lost. `README.md` in `protocol/` lists the invariants by their names.
 *
 * @param values what the invariant does not hold for
 * @throws Error that names the values: this library has a bug, or another writer has changed the shard map
 */
export function requireInvariant(holds: boolean, name: string, values: object): void {
  if (!holds) throw new Error(`Invariant ${name} broken: ${JSON.stringify(values)}`)
}
