/** How the load of a workload is spread over time and keys. */
export interface Profile {
  readonly name: string
  /** Share of the full load, by the share of the run that has passed. */
  load(passed: number): number
  /** Which key a write goes to, from two draws of chance. */
  key(passed: number, chance: number): number
  /** Keys that get next to nothing. */
  readonly coldKeys: number
  readonly keys: number
}

/** Share of the writes that go to keys which are not hot. */
const COLD_SHARE = 0.03

/** One key gets more and more. */
export function hotKeyRamp(): Profile {
  return { name: 'hot key ramp', keys: 3, coldKeys: 2, load: (passed) => 0.05 + 0.95 * passed, key: mostly(0) }
}

/** Suddenly everybody wants the same key, for a while. */
export function flashCrowd(): Profile {
  return {
    name: 'flash crowd',
    keys: 3,
    coldKeys: 2,
    load: (passed) => (passed > 0.2 && passed < 0.6 ? 1 : 0.05),
    key: mostly(0),
  }
}

/** The hot key is another one every now and then. */
export function movingHotSpot(): Profile {
  const keys = 4
  return {
    name: 'moving hot spot',
    keys,
    coldKeys: 0,
    load: () => 1,
    key: (passed, chance) =>
      chance < 0.9 ? Math.floor(passed * 6) % keys : Math.floor(((chance - 0.9) / 0.1) * keys),
  }
}

/** Keys of very different popularity, which stays as it is. */
export function steadyZipf(): Profile {
  const keys = 12
  const weights = Array.from({ length: keys }, (_, rank) => 1 / (rank + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    name: 'steady Zipf',
    keys,
    coldKeys: 0,
    load: () => 0.7,
    key: (_passed, chance) => {
      let left = chance * total
      const found = weights.findIndex((weight) => {
        left -= weight
        return left < 0
      })
      return Math.max(0, found)
    },
  }
}

function mostly(hot: number) {
  return (_passed: number, chance: number) => {
    if (chance >= COLD_SHARE) return hot
    return chance < COLD_SHARE / 2 ? 1 : 2
  }
}
