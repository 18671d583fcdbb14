/**
 * The counts that a key has had, oldest first, as the shard map stores them: `"<epoch seconds>:<count>"`. For a key at rest the
 * last entry is the count in use.
 */
export type ShardHistory = readonly string[]

/** Limits the size of the item. Older entries stay only while readers need them: at most two for each lowered count. */
export const MAX_HISTORY = 20

export function historyEntry(epochSeconds: number, count: number): string {
  return `${epochSeconds}:${count}`
}

export function timeOf(entry: string): number {
  return Number(entry.slice(0, entry.indexOf(':')))
}

export function countOf(entry: string): number {
  return Number(entry.slice(entry.indexOf(':') + 1))
}

/** The highest count in the history. */
export function highestCount(history: ShardHistory): number {
  return Math.max(...history.map(countOf))
}

/**
 * Returns the counts that were lower than an earlier count, the highest first. Until the retired shards are drained and the
 * history is cut, items may be moving from above each of these counts to below it. This also holds after the key has grown again,
 * because another process may finish a move at any time.
 */
export function loweredCounts(history: ShardHistory): readonly number[] {
  let highest = 0
  const lowered = history.map(countOf).filter((count) => {
    highest = Math.max(highest, count)
    // This includes a count that grew less far than before. The shards above it are still retired, and are drained to below it.
    return count < highest
  })
  return [...new Set(lowered)].sort((a, b) => b - a)
}

/**
 * Returns the epoch seconds since which a shard of a random key has been in use without interruption, as far as the history goes
 * back. If a shard was retired and is in use again, its items have moved to other shards.
 */
export function inUseSince(shard: number, history: ShardHistory): number {
  // Dropped entries do not change the result, because a lowered count always keeps its last entry.
  const first = history[history.findLastIndex((entry) => countOf(entry) < shard) + 1]
  return first === undefined ? Number.POSITIVE_INFINITY : timeOf(first)
}

/** Adds an entry to the history, and drops the oldest entries that readers do not need. A lowered count keeps its last entry. */
export function withEntry(before: ShardHistory, epochSeconds: number, count: number): ShardHistory {
  const history: ShardHistory = [...before, historyEntry(epochSeconds, count)]
  return history.slice(0, -MAX_HISTORY).reduce((kept, entry) => {
    const others = kept.filter((other) => other !== entry)
    return bordersOf(others) === bordersOf(kept) ? others : kept
  }, history)
}

/** The highest shard that readers must read, and the counts that moving items cross. */
function bordersOf(history: ShardHistory): string {
  return `${[highestCount(history), ...loweredCounts(history)]}`
}
