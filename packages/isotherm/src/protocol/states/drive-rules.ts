import type { ShardedTable } from '../../options/sharded-table.js'
import { countChangedAt } from './pace.js'
import { isUnfinished, type ShardState } from './shard-state.js'
import type { ShardView } from './shard-view.js'

/**
 * How often a running driver renews the shard map item. Other processes do not take over a change that is renewed. It is longer than a
 * phase with the default times: a renewal in the middle of a phase would make other processes expect a later end of it.
 */
export const RENEW_MILLISECONDS = 20_000

/** A change that was not renewed for so many periods may have no driver. */
const MISSED_RENEWALS = 1.5

/**
 * The same where processes of other regions, which see the items of their own region only, might be the first to notice. Three minutes
 * leave the region that writes the key time to deploy.
 */
const MISSED_RENEWALS_OF_REGIONS = 9

/**
 * How long another process then watches the change, by its own clock, before it takes it over: longer than a renewal takes, so that the
 * change of a running driver is left alone even if the system times of the two differ.
 */
export const WATCH_MILLISECONDS = 1.1 * RENEW_MILLISECONDS

/**
 * How long after the last move the old places are still read. Until all replicas have a moved copy, an eventually consistent read
 * of only the new place can miss the item, even if the application wrote it long ago. AWS says "usually consistent within one
 * second".
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
 */
export const REPLICAS_MILLISECONDS = 3_000

/** How long a phase lasts before its work begins. After this time, no request that used the previous phase can take effect. */
export function phaseMilliseconds({
  cacheMilliseconds,
  lateRequestMilliseconds,
}: Pick<ShardedTable, 'cacheMilliseconds' | 'lateRequestMilliseconds'>): number {
  // mark: driver-waits-for-caches-and-late-requests
  return cacheMilliseconds + lateRequestMilliseconds
}

/** Whether the driver of a change may have stopped, judged by the clock of this process. */
export function isAbandoned(
  { keysOfOneRegion }: Pick<ShardedTable, 'keysOfOneRegion'>,
  { lastUpdated }: ShardState,
  now: number,
): boolean {
  const missed = keysOfOneRegion ? MISSED_RENEWALS_OF_REGIONS : MISSED_RENEWALS
  return now - lastUpdated * 1_000 >= missed * RENEW_MILLISECONDS
}

/** Whether no process has written the state since `seen` was read. */
export function isUnwritten(seen: ShardState, now: ShardState | undefined): boolean {
  return seen.lastUpdated === now?.lastUpdated
}

/** Whether a driver has claimed or renewed the change since it was begun. */
export function isClaimed(state: ShardState): boolean {
  return state.lastUpdated > countChangedAt(state)
}

/**
 * Whether a driver may move items: the shard map still has the state that the driver wrote. A process that claims a change also
 * writes the state, and then waits. Earlier views have expired when it moves its first item, and later views stop the earlier
 * driver.
 */
export function mayMoveItems(view: ShardView, written: ShardState): boolean {
  const { state, shards } = view
  // A key that another process has brought to rest may have the initial state again, which is older than anything that was written.
  if (state === undefined || !isUnfinished(state)) return false
  // The count is compared too, because somebody may have changed only the count by hand.
  return shards === written.shards && state.lastUpdated <= written.lastUpdated
}
