import type { PlacementKind } from '../../options/sharded-table.js'
import { announce, settle } from './calculated-count.js'
import { requireInvariant } from './invariant.js'
import { later } from './pace.js'
import { forget, resize } from './random-count.js'
import {
  type Announced,
  type AtRest,
  type Draining,
  isChanging,
  type Retired,
  type ShardState,
} from './shard-state.js'

/** Begins to change a count: in one step with a random suffix, in phases with a calculated one. */
export function begin(
  kind: PlacementKind,
  state: AtRest,
  to: number,
  epochSeconds: number,
): AtRest | Announced {
  return kind === 'random' ? resize(state, to, epochSeconds) : announce(state, to, epochSeconds)
}

/** Ends a change after a pass over the source shards has found no items left. */
export function complete(state: Draining | Retired, epochSeconds: number): AtRest {
  return state.phase === 'draining' ? settle(state, epochSeconds) : forget(state, epochSeconds)
}

/**
 * Asserts the invariant that the waits of a change guarantee: *announced* and *moved* each outlast every request of the phase
 * before. So a process that reads the shard map while it still uses an earlier read has missed neither of them.
 */
export function requireOnePhaseApart(inUse: ShardState, read: ShardState): void {
  const isSameChange =
    isChanging(inUse) && isChanging(read) && inUse.from === read.from && inUse.to === read.to
  requireInvariant(
    read.lastUpdated <= inUse.lastUpdated ||
      (isSameChange
        ? inUse.phase !== 'announced' || read.phase !== 'draining'
        : inUse.phase !== 'announced' && read.phase !== 'moved' && read.phase !== 'draining'),
    'apart',
    { inUse, read },
    '. A count changed while this process still used the one before it: give all processes of the table the same cacheTtl and lateRequests.',
  )
}

/** Returns the same state with a later time. Other processes then see that a driver is running, and earlier drivers stop. */
export function renew<State extends ShardState>(state: State, epochSeconds: number): State {
  return { ...state, lastUpdated: later(state, epochSeconds) }
}
