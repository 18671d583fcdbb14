/** An invariant of the protocol does not hold: this library has a bug, or another writer has changed the shard map. */
class BrokenInvariant extends Error {
  override readonly name = 'IsothermBrokenInvariant'
}

/**
 * Asserts an invariant of the protocol. These assertions stay on in production: they are cheap, and work that fails is better than
 * an item that is lost. `README.md` in `protocol/` lists the invariants by their names.
 *
 * @param values what the invariant does not hold for
 * @throws BrokenInvariant that names the values
 */
export function requireInvariant(holds: boolean, name: string, values: object): void {
  if (!holds) throw new BrokenInvariant(`Invariant ${name} broken: ${JSON.stringify(values)}`)
}
