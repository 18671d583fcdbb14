import { countOf, timeOf } from './history.js'
import type { ShardState } from './shard-state.js'

/**
 * Questions about time, for deciding when to change a count again. They rest on calendars, so they only pace the work: no item is
 * lost where a calendar is wrong.
 */

/** Epoch seconds of the last change of the count. The item may have been renewed later. */
export function countChangedAt({ history, lastUpdated }: ShardState): number {
  const last = history.at(-1)
  return last === undefined ? lastUpdated : timeOf(last)
}

/** Whether the count was ever changed since the key was first seen. */
export function wasScaled({ history }: ShardState): boolean {
  return history.length > 1
}

/** Milliseconds for which no process has found the key busy, nor changed its count. */
export function silenceOf(state: ShardState, now: number): number {
  return now - Math.max(countChangedAt(state), state.fleet?.lastBusy ?? 0) * 1_000
}

/**
 * How many of the last changes followed the one before them without the cooldown between. The first of a key waits for nothing. A
 * calculated key's change has two entries of one count, its announcement and its end, and the next one waits from its end.
 */
export function hurriedChanges({ history }: ShardState, cooldownSeconds: number): number {
  let changes = 0
  let hurried = 0
  for (const [index, entry] of history.entries()) {
    const before = history[index - 1]
    if (before === undefined || countOf(before) === countOf(entry)) continue
    changes += 1
    hurried = changes > 1 && timeOf(entry) - timeOf(before) < cooldownSeconds ? hurried + 1 : 0
  }
  return hurried
}

/** The time of a write: two writes never have the same one, since the lock on the shard map's item compares it. */
export function later(state: ShardState, epochSeconds: number): number {
  return Math.max(epochSeconds, state.lastUpdated + 1, countChangedAt(state) + 1)
}
