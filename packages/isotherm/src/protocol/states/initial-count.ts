import type { PlacementKind } from '../../options/sharded-table.js'
import { announce } from './calculated-count.js'
import { historyEntry } from './history.js'
import { requireInvariant } from './invariant.js'
import { later } from './pace.js'
import { resize } from './random-count.js'
import { requireStep } from './require-step.js'
import { type Announced, type AtRest, atRest, type Settled } from './shard-state.js'

/**
 * Begins to change the initial state of a table, which is that of every key without a count of its own. No process asks for it before
 * each read. So, unlike the count of one random key, it does not grow at once: readers look in the new shards first.
 */
export function beginInitial(
  kind: PlacementKind,
  state: Settled,
  to: number,
  epochSeconds: number,
): AtRest | Announced {
  if (kind === 'calculated') return announce(state, to, epochSeconds)
  // mark: readers-know-new-shards-first
  return to > state.shards ? widen(state, to, epochSeconds) : resize(state, to, epochSeconds)
}

/** Lets readers look in the shards up to `to`, while writers use the shards that they have. */
function widen(state: Settled, to: number, epochSeconds: number): AtRest {
  const { shards } = state
  const at = later(state, epochSeconds)
  const lastUpdated = at + 1
  const history = [historyEntry(at, to), historyEntry(lastUpdated, shards)]
  return requireStep(state, atRest({ shards, lastUpdated, history }))
}

/** Lets writers use the shards that every process reads by now. No item was ever moved, so readers need no earlier count. */
export function growInitial(state: AtRest, to: number, epochSeconds: number): Settled {
  requireInvariant(state.phase === 'retired' && state.shards < to, 'phase', state)
  const lastUpdated = later(state, epochSeconds)
  const history = [historyEntry(lastUpdated, to)]
  return requireStep(state, { phase: 'settled', shards: to, lastUpdated, history }, true)
}
