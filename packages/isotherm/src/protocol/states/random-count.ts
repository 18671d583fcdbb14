import { historyEntry, withEntry } from './history.js'
import { requireInvariant } from './invariant.js'
import { later } from './pace.js'
import { requireStep } from './require-step.js'
import { type AtRest, atRest, isChanging, type Retired, type Settled } from './shard-state.js'

/**
 * Changes the count of a random key, which needs no phases. After a lowered count, queries still read the retired shards, which the
 * history names.
 */
export function resize(state: AtRest, shards: number, epochSeconds: number): AtRest {
  requireInvariant(!isChanging(state), 'phase', state)
  const lastUpdated = later(state, epochSeconds)
  const history = withEntry(state.history, lastUpdated, shards)
  return requireStep(state, atRest({ shards, lastUpdated, history }))
}

/** Ends the drain of a random key: the retired shards hold no items, and no item will be written there. */
export function forget(state: Retired, epochSeconds: number): Settled {
  const { phase, shards } = state
  requireInvariant(phase === 'retired', 'phase', state)
  const lastUpdated = later(state, epochSeconds)
  const history = [historyEntry(lastUpdated, shards)]
  return requireStep(state, { phase: 'settled', shards, lastUpdated, history }, true)
}
