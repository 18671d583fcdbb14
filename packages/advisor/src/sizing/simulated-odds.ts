import { type Random, SeededRandom } from '@isotherm/runtime'

/** A hot key: its units per second, spread over its shards. */
export interface ShardedLoad {
  readonly units: number
  readonly shards: number
}

/** Enough for odds to half a per cent. Many shards need fewer trials, because their loads vary less. */
const MAX_TRIALS = 4_000
const MIN_TRIALS = 500
const PLACED_SHARDS = 400_000

/**
 * The odds that no partition exceeds the limit, when several keys are sharded: their shards are placed at random, again
 * and again. The same seed gives the same odds.
 *
 * @example
 * simulatedOdds([{ units: 900, shards: 2 }, { units: 900, shards: 2 }], { partitions: 4, baseUnits: 0, limitUnits: 1_000, seed: 1 })
 */
export function simulatedOdds(
  loads: readonly ShardedLoad[],
  place: {
    readonly partitions: number
    /** What each partition carries of all other keys. */
    readonly baseUnits: number
    readonly limitUnits: number
    readonly seed: number
    /** Ends early once the odds cannot reach this any more. */
    readonly needed?: number
  },
): number {
  const random: Random = new SeededRandom(place.seed)
  const units = new Float64Array(place.partitions)
  const all = loads.reduce((sum, { shards }) => sum + shards, 0)
  const trials = Math.max(MIN_TRIALS, Math.min(MAX_TRIALS, Math.ceil(PLACED_SHARDS / all)))
  const { needed = 0 } = place
  let good = 0
  for (let trial = 0; trial < trials; trial++) {
    units.fill(place.baseUnits)
    for (const { units: together, shards } of loads) {
      for (let shard = 0; shard < shards; shard++) {
        const at = Math.floor(random.next() * place.partitions)
        units[at] = (units[at] ?? 0) + together / shards
      }
    }
    if (units.every((each) => each <= place.limitUnits)) good++
    else if (trial + 1 - good > trials * (1 - needed)) return good / (trial + 1)
  }
  return good / trials
}
