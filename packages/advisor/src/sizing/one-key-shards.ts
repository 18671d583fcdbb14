import { oddsOfAtMost } from './partition-odds.js'

/** More shards are not read in reasonable time; the library has the same limit. */
export const MAX_SHARDS = 1_000
/** From here on, counts are tried in steps of 3 %. */
const EXACT_SHARDS = 128

/** What the shards of one hot key have to carry. */
export interface KeyDemand {
  /** Units per second of the key. */
  readonly units: number
  /** What each partition carries of all other keys. */
  readonly baseUnits: number
  /** What a partition may carry: its limit without the head-room. */
  readonly limitUnits: number
  readonly partitions: number
  /** The odds that no partition exceeds the limit, such as 0.99. */
  readonly confidence: number
}

/**
 * The smallest shard count that carries the units of one key, shards that meet on a partition included. `undefined` if no
 * count does: then the table needs more partitions.
 *
 * @example
 * oneKeyShards({ units: 2_600, baseUnits: 0, limitUnits: 700, partitions: 16, confidence: 0.99 })
 */
export function oneKeyShards(
  demand: KeyDemand,
): { readonly shards: number; readonly odds: number } | undefined {
  const { units, baseUnits, limitUnits, partitions, confidence } = demand
  const room = limitUnits - baseUnits
  if (room <= 0 || units > room * partitions) return undefined
  for (let shards = Math.max(1, Math.ceil(units / room)); shards <= MAX_SHARDS; shards = nextCount(shards)) {
    const odds = keyOdds(shards, demand)
    if (odds >= confidence) return { shards, odds }
  }
  return undefined
}

/** The odds that no partition exceeds the limit. */
export function keyOdds(
  shards: number,
  { units, baseUnits, limitUnits, partitions }: Omit<KeyDemand, 'confidence'>,
): number {
  const perShard = units / shards
  const most = perShard === 0 ? shards : Math.floor((limitUnits - baseUnits) / perShard + 1e-9)
  return oddsOfAtMost(most, shards, partitions)
}

/** The next count to try. */
export function nextCount(shards: number): number {
  return shards < EXACT_SHARDS ? shards + 1 : Math.ceil(shards * 1.03)
}
