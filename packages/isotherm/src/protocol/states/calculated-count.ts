import { withEntry } from './history.js'
import { requireInvariant } from './invariant.js'
import { later } from './pace.js'
import { requireStep } from './require-step.js'
import {
  type Announced,
  type AtRest,
  atRest,
  type Draining,
  isChanging,
  type Moved,
  readableShards,
} from './shard-state.js'

/** Begins a change of a calculated key. Every process must read the places among `to` too, before an item is stored there. */
export function announce(state: AtRest, to: number, epochSeconds: number): Announced {
  requireInvariant(!isChanging(state), 'phase', state)
  const { shards } = state
  const lastUpdated = later(state, epochSeconds)
  const history = withEntry(state.history, lastUpdated, to)
  // mark: change-begins-announced
  return requireStep(state, { phase: 'announced', shards, lastUpdated, history, from: shards, to })
}

/** Begins the second phase. Every process reads both places, so items are now created at the new place, and moved there. */
export function move(state: Announced, epochSeconds: number): Moved {
  const { phase, from, to, shards } = state
  requireInvariant(phase === 'announced' && shards === from, 'phase', state)
  return requireStep(state, { ...state, phase: 'moved', shards: to, lastUpdated: later(state, epochSeconds) })
}

/** Begins the last phase. No process creates items at the old places any more, so an item that is not there stays away. */
export function drain(state: Moved, epochSeconds: number): Draining {
  const { phase, to, shards } = state
  requireInvariant(phase === 'moved' && shards === to, 'phase', state)
  return requireStep(state, { ...state, phase: 'draining', lastUpdated: later(state, epochSeconds) })
}

/**
 * Ends a change: the old places hold no items, and no item will be written there. After a growth, readers do not need the earlier
 * counts. They stay in the history to show how fast the key has grown.
 */
export function settle(state: Draining, epochSeconds: number): AtRest {
  const { phase, to, shards, history } = state
  requireInvariant(phase === 'draining' && shards === to, 'phase', state)
  const lastUpdated = later(state, epochSeconds)
  const grownFrom = readableShards(state) === shards ? history : []
  return requireStep(
    state,
    atRest({ shards, lastUpdated, history: withEntry(grownFrom, lastUpdated, shards) }),
    true,
  )
}
