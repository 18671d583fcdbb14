import { describe, expect, it } from 'vitest'
import { loadedEngine } from '../../test/loaded-engine.js'

const SECONDS = 30

describe('a fleet of fifty writers', () => {
  it.each([1, 2, 11])(
    'grows a hot key together, without a crowd at the shard map (seed %i)',
    async (seed) => {
      const key = `hot ${seed}`
      const report = await loadedEngine({
        seed,
        processes: 50,
        keys: { [key]: { unitsPerSecond: 2_000 } },
        itemUnits: 10,
        seconds: SECONDS,
        shards: { quiet: false },
      })
      const scaled = report.events.filter((event) => event.type === 'scaled')
      // The policy targets a utilization of 70 %.
      const needed = Math.ceil(2_000 / 700)
      console.log(
        `seed ${seed}: ${report.counts.get(key)} shards in ${scaled.length} steps, ${report.mapWrites.refused} refused,`,
        `shard map ${(report.mapWriteUnits / SECONDS).toFixed(1)} write and ${(report.mapReadUnits / SECONDS).toFixed(1)} read units/s`,
      )
      expect(report.counts.get(key)).toBeGreaterThanOrEqual(2)
      // If the first shards were on the same partition, a second step adds half as many.
      expect(report.counts.get(key)).toBeLessThanOrEqual(2 * needed)
      expect(report.mapWrites.sent - report.mapWrites.refused).toBeGreaterThanOrEqual(scaled.length)
      expect(report.mapWrites.refused / scaled.length).toBeLessThan(3)
      expect(report.mapWriteUnits / SECONDS).toBeLessThan(50)
    },
    120_000,
  )
})
