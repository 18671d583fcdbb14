import { keyOdds, MAX_SHARDS, nextCount } from './one-key-shards.js'
import { type ShardedLoad, simulatedOdds } from './simulated-odds.js'

/** What shard counts have to carry. */
export interface ShardDemand {
  /** Units per second of each hot key, the hottest first. */
  readonly hotUnits: readonly number[]
  /** What each partition carries of all other keys. */
  readonly baseUnits: number
  /** What a partition may carry: its limit without the head-room. */
  readonly limitUnits: number
  readonly partitions: number
  /** The odds that no partition exceeds the limit, such as 0.99. */
  readonly confidence: number
  readonly seed: number
}

/** Shard counts, and how good they are. */
export interface ShardCounts {
  /** One for each hot key. */
  readonly shards: readonly number[]
  /** The odds that no partition exceeds the limit. */
  readonly odds: number
  /** Whether the odds were computed exactly, or simulated. */
  readonly method: 'exact' | 'simulated'
}

/**
 * The smallest shard counts that carry the peak, shards that meet on a partition included. `undefined` if no count does:
 * then the table needs more partitions.
 *
 * @example
 * smallestShardCounts({ hotUnits: [2_600], baseUnits: 0, limitUnits: 700, partitions: 16, confidence: 0.99, seed: 1 })
 */
export function smallestShardCounts(demand: ShardDemand): ShardCounts | undefined {
  const { hotUnits, limitUnits, baseUnits, partitions } = demand
  const room = limitUnits - baseUnits
  const hot = hotUnits.reduce((sum, units) => sum + units, 0)
  if (room <= 0 || hot > room * partitions) return undefined
  let units = room
  for (;;) {
    const counts = hotUnits.map((each) => Math.max(1, Math.ceil(each / units)))
    const most = Math.max(...counts)
    if (most > MAX_SHARDS) return undefined
    const odds = oddsOf(counts, demand)
    if (odds.odds >= demand.confidence) return { shards: counts, ...odds }
    // One more shard for the hottest key; the others follow in proportion.
    units = Math.max(...hotUnits) / nextCount(most)
  }
}

function oddsOf(
  counts: readonly number[],
  { hotUnits, baseUnits, limitUnits, partitions, seed, confidence }: ShardDemand,
): { readonly odds: number; readonly method: ShardCounts['method'] } {
  const [shards = 1, ...more] = counts
  if (more.length === 0) {
    const odds = keyOdds(shards, { units: hotUnits[0] ?? 0, baseUnits, limitUnits, partitions })
    return { odds, method: 'exact' }
  }
  const loads: readonly ShardedLoad[] = counts.map((count, index) => ({
    units: hotUnits[index] ?? 0,
    shards: count,
  }))
  return {
    odds: simulatedOdds(loads, { partitions, baseUnits, limitUnits, seed, needed: confidence }),
    method: 'simulated',
  }
}
