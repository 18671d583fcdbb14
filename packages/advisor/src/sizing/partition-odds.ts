/**
 * The exact odds that no partition gets more than `most` of a key's shards, when each shard's hashed key falls on any of
 * the partitions alike.
 *
 * Partition by partition: of the shards that are left, the next partition gets a binomially distributed number.
 *
 * @example
 * oddsOfAtMost(1, 2, 4) // 0.75: two shards on four partitions meet one time in four
 */
export function oddsOfAtMost(most: number, shards: number, partitions: number): number {
  if (most >= shards) return 1
  if (most < 0 || most * partitions < shards) return 0
  // The odds of each number of shards that are not placed yet.
  let left = new Float64Array(shards + 1)
  left[shards] = 1
  for (let others = partitions; others > 1; others--) {
    const next = new Float64Array(shards + 1)
    for (let count = 0; count <= shards; count++) {
      const odds = left[count] ?? 0
      if (odds > 0) place(next, odds, count, most, 1 / others)
    }
    left = next
  }
  // The last partition gets the rest.
  return Math.min(
    1,
    left.slice(0, most + 1).reduce((sum, odds) => sum + odds, 0),
  )
}

/** Adds what is left after one partition has taken up to `most` of `count` shards. */
function place(next: Float64Array, odds: number, count: number, most: number, chance: number): void {
  const ratio = chance / (1 - chance)
  let taking = odds * (1 - chance) ** count
  for (let taken = 0; taken <= Math.min(most, count); taken++) {
    next[count - taken] = (next[count - taken] ?? 0) + taking
    taking *= ((count - taken) / (taken + 1)) * ratio
  }
}

/** How many partitions the shards of a key use on average. */
export function expectedPartitions(shards: number, partitions: number): number {
  return partitions * (1 - (1 - 1 / partitions) ** shards)
}
