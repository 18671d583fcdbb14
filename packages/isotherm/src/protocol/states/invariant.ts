/**
 * Asserts an invariant of the protocol. The assertions stay on in production: they are cheap, and a failed request is better than a
 * lost item. `README.md` in `protocol/` lists the invariants by name.
 *
 * @param values the values to report if the invariant does not hold
 * @param cure what to do if the options of another process may be the cause
 * @throws Error with the values: this library has a bug, or another writer has changed the shard map
 */
export function requireInvariant(holds: boolean, name: string, values: object, cure = ''): void {
  if (!holds) throw new Error(`Invariant ${name} broken: ${JSON.stringify(values)}${cure}`)
}
