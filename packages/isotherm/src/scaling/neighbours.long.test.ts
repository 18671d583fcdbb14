import { describe, expect, it } from 'vitest'
import { type Load, loadedEngine } from '../../test/loaded-engine.js'
import { partitionMates } from '../../test/partition-mates.js'

const NEIGHBOURS = 50

describe('the neighbours of a hot key on its partition', () => {
  it.each([
    { seed: 1, who: 'processes that see both', hot: [0, 1, 2], others: [0, 1, 2] },
    { seed: 2, who: 'processes that see both', hot: [0, 1, 2], others: [0, 1, 2] },
    { seed: 3, who: 'processes that see only the neighbours', hot: [0, 1, 2], others: [3, 4, 5] },
    { seed: 4, who: 'processes that see only the neighbours', hot: [0, 1, 2], others: [3, 4, 5] },
    { seed: 5, who: 'one process for each', hot: [0], others: [5] },
  ])(
    'are not scaled by $who, and it is (seed $seed)',
    async ({ seed, hot, others }) => {
      const key = `hot ${seed}`
      const mates = await partitionMates(key, NEIGHBOURS)
      const keys: Record<string, Load['keys'][string]> = { [key]: { unitsPerSecond: 1_600, processes: hot } }
      // A few have a tenth of a partition's limit, and the others have almost no traffic.
      for (const [index, mate] of mates.entries()) {
        keys[mate] = { unitsPerSecond: index < 3 ? 100 : 6, processes: others }
      }
      const report = await loadedEngine({
        seed,
        processes: 6,
        keys,
        itemUnits: 10,
        seconds: 25,
        shards: { jitter: ['1s', '10s'], cooldown: '10s', quiet: false },
      })
      const refused = mates.filter((mate) => (report.throttledAt.get(mate)?.length ?? 0) > 0)
      expect(refused.length).toBeGreaterThan(NEIGHBOURS / 2)
      expect(report.counts.get(key)).toBeGreaterThanOrEqual(2)
      expect(mates.filter((mate) => report.counts.get(mate) !== 1)).toEqual([])
    },
    120_000,
  )
})
