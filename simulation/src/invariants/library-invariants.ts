import type { IsothermEvent } from 'isotherm'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'

/** What the library asserts of its own protocol holds in every run: work in the background reports it as an event alone. */
export function requireInvariants(world: World, event: IsothermEvent): void {
  if (event.type !== 'failed') return
  const { error } = event
  if (!(error instanceof Error) || !error.message.startsWith('Invariant ')) return
  world.fail(new Violation('the library holds its own invariants', error.message))
}
