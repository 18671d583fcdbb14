import { withEntry } from './history.js'
import { requireInvariant } from './invariant.js'
import { later } from './pace.js'
import { requireStep } from './require-step.js'
import { type Announced, type AtRest, atRest, isChanging, type Moved, readableShards } from './shard-state.js'

/** Begins a change of a calculated key: every process is to look at the places among `to` too, before an item is there. */
export function announce(state: AtRest, to: number, epochSeconds: number): Announced {
  requireInvariant(!isChanging(state), 'phase', state)
  const { shards } = state
  const lastUpdated = later(state, epochSeconds)
  const history = withEntry(state.history, lastUpdated, to)
  // mark: change-begins-announced
  return requireStep(state, { phase: 'announced', shards, lastUpdated, history, from: shards, to })
}

/** Every process looks at both places: from now on items are created at the new one, and moved there. */
export function move(state: Announced, epochSeconds: number): Moved {
  const { phase, from, to, shards } = state
  requireInvariant(phase === 'announced' && shards === from, 'phase', state)
  return requireStep(state, { ...state, phase: 'moved', shards: to, lastUpdated: later(state, epochSeconds) })
}

/**
 * Ends a change: nothing is left at the old places, and nothing will come there. Counts that the key has grown from hold no items
 * of their own. They stay in the history, which shows how fast the key has grown.
 */
export function settle(state: Moved, epochSeconds: number): AtRest {
  const { phase, to, shards, history } = state
  requireInvariant(phase === 'moved' && shards === to, 'phase', state)
  const lastUpdated = later(state, epochSeconds)
  const grownFrom = readableShards(state) === shards ? history : []
  return requireStep(
    state,
    atRest({ shards, lastUpdated, history: withEntry(grownFrom, lastUpdated, shards) }),
    true,
  )
}
