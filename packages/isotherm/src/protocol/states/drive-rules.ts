import type { ShardedTable } from '../../options/sharded-table.js'
import { countChangedAt } from './pace.js'
import type { ShardState } from './shard-state.js'
import type { ShardView } from './shard-view.js'

/** A driver that lives writes the shard map's item this often. Other processes leave its change alone meanwhile. */
export const RENEW_MILLISECONDS = 60_000

/** A change that was not renewed for so many turns has no driver. */
const MISSED_RENEWALS = 3

/**
 * For so long after the last move, the places that items have left are not forgotten. Until all replicas have a copy, an eventually
 * consistent read of the new place alone may not find it, though the application wrote the item long ago: "usually consistent
 * within one second".
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
 */
export const REPLICAS_MILLISECONDS = 3_000

/** How long a phase lasts before its work begins. Afterwards no request is carried out that was decided on the phase before. */
export function phaseMilliseconds({
  cacheMilliseconds,
  lateRequestMilliseconds,
}: Pick<ShardedTable, 'cacheMilliseconds' | 'lateRequestMilliseconds'>): number {
  // mark: driver-waits-for-caches-and-late-requests
  return cacheMilliseconds + lateRequestMilliseconds
}

/** Whether the driver of a change is gone, by this process's calendar. */
export function isAbandoned({ lastUpdated }: ShardState, now: number): boolean {
  return now - lastUpdated * 1_000 >= MISSED_RENEWALS * RENEW_MILLISECONDS
}

/** Whether no process has written the state since it was seen. */
export function isUnwritten(seen: ShardState, now: ShardState | undefined): boolean {
  return seen.lastUpdated === now?.lastUpdated
}

/** Whether a driver has claimed or renewed the change since it was begun. */
export function isClaimed(state: ShardState): boolean {
  return state.lastUpdated > countChangedAt(state)
}

/**
 * Whether a driver may move items: the shard map says what the driver wrote, and nothing later. A process that claims a change
 * writes it too, and waits: the views from before have ended when it moves its first item, and those from afterwards stop the
 * earlier driver.
 */
export function mayMoveItems(view: ShardView, written: ShardState): boolean {
  // Also the count: people may have changed it alone.
  return view.shards === written.shards && (view.state?.lastUpdated ?? 0) <= written.lastUpdated
}
