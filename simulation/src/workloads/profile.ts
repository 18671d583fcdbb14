/** How the load of a workload is spread over time and keys. */
export interface Profile {
  readonly name: string
  /** Share of the full load, by the share of the run that has passed. */
  load(passed: number): number
  /** Which key a write goes to, from two draws of chance. */
  key(passed: number, chance: number): number
  /** Whether the keys after the first get next to nothing. */
  readonly hasColdKeys: boolean
  readonly keys: number
}

/**
 * One key gets more and more.
 * @param coldShare share of the writes that go to other keys
 */
export function hotKeyRamp(coldShare: number): Profile {
  return {
    name: 'hot key ramp',
    keys: 3,
    hasColdKeys: true,
    load: (passed) => 0.05 + 0.95 * passed,
    key: mostly(coldShare),
  }
}

/** Suddenly everybody wants the same key, for a while. */
export function flashCrowd(coldShare: number): Profile {
  return {
    name: 'flash crowd',
    keys: 3,
    hasColdKeys: true,
    load: (passed) => (passed > 0.2 && passed < 0.6 ? 1 : 0.05),
    key: mostly(coldShare),
  }
}

/** The hot key is another one every now and then. */
export function movingHotSpot(): Profile {
  const keys = 4
  return {
    name: 'moving hot spot',
    keys,
    hasColdKeys: false,
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
    hasColdKeys: false,
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

/** The first key, but for a small share that two others have. */
function mostly(coldShare: number) {
  return (_passed: number, chance: number) => {
    if (chance >= coldShare) return 0
    return chance < coldShare / 2 ? 1 : 2
  }
}
