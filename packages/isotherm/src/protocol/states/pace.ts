import { timeOf } from './history.js'
import type { ShardState } from './shard-state.js'

/**
 * These functions use recorded times to decide when to change a count again. They depend on the clocks of several processes, so
 * they only pace the work: a wrong clock never loses an item.
 */

/** Epoch seconds of the last change of the count. A driver may have renewed the item later. */
export function countChangedAt({
  history,
  lastUpdated,
}: Pick<ShardState, 'history' | 'lastUpdated'>): number {
  const last = history.at(-1)
  return last === undefined ? lastUpdated : timeOf(last)
}

/** Whether the count has ever changed since the key was first seen. */
export function wasScaled({ history }: ShardState): boolean {
  return history.length > 1
}

/**
 * Whether the wait of a calculated key's phase is over. The driver of the change writes the next phase then, and most processes have a
 * clock that agrees with its clock.
 */
export function isPhaseDue(
  { phase, lastUpdated }: ShardState,
  now: number,
  phaseMilliseconds: number,
): boolean {
  return (phase === 'announced' || phase === 'moved') && now >= lastUpdated * 1_000 + phaseMilliseconds
}

/** Milliseconds since a process last found the key busy or changed its count. */
export function silenceOf(state: ShardState, now: number): number {
  return now - Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0) * 1_000
}

/** Returns the time of a write. No two writes have the same time, because the lock on the shard map item compares it. */
export function later(state: ShardState, epochSeconds: number): number {
  return Math.max(epochSeconds, state.lastUpdated + 1, countChangedAt(state) + 1)
}
