import { loweredCounts, MAX_HISTORY } from './history.js'
import { requireInvariant } from './invariant.js'
import { countChangedAt } from './pace.js'
import { readableShards, type ShardState } from './shard-state.js'

/**
 * Asserts the invariants of a step from one state of a key to the next.
 * @param isEmptied whether a pass has emptied the places that items left, so that readers need not read them any more
 * @returns `next`
 */
export function requireStep<Next extends ShardState>(
  before: ShardState,
  next: Next,
  isEmptied = false,
): Next {
  const lowered = loweredCounts(next.history)
  const holds = {
    time: next.lastUpdated > before.lastUpdated && next.lastUpdated >= countChangedAt(next),
    readers:
      isEmptied ||
      (readableShards(next) >= readableShards(before) &&
        loweredCounts(before.history).every((count) => lowered.includes(count))),
    history: next.history === before.history || next.history.length <= MAX_HISTORY + 2 * lowered.length,
  }
  for (const [name, each] of Object.entries(holds)) requireInvariant(each, name, { before, next })
  return next
}
