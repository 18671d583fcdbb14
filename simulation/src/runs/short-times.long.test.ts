import { describe, expect, it } from 'vitest'
import { LIBRARY as library } from '../world/library.js'
import { runRequest } from './request.js'
import { drawnSettings, WORKLOADS, type WorkloadName } from './settings.js'
import { Summary } from './summary.js'
import { NO_ADJUSTMENTS } from './switches.js'
import { tallyOf } from './tally.js'

const SECONDS = 10
const SEEDS = 32

/** Of each kind of suffix some in which much of it comes about, so that a few seeds are enough. */
const DENSE: readonly WorkloadName[] = ['rotation', 'queue', 'transfers', 'bulk-import']

describe('a short run', () => {
  it('is long enough for everything that takes several steps', async () => {
    const summary = new Summary(SECONDS)
    const isMissing = () => Object.values(summary.coverage).includes(0)
    for (let seed = 1; seed <= SEEDS && isMissing(); seed++) {
      const request = { seed, seconds: SECONDS, workloads: DENSE, adjustments: NO_ADJUSTMENTS }
      summary.add(tallyOf(await runRequest(library, request)), 1)
    }
    for (const [kind, runs] of Object.entries(summary.coverage)) {
      expect(runs, kind).toBeGreaterThan(0)
      expect(runs, kind).toBeLessThanOrEqual(SEEDS)
    }
  })

  it('has the usual times now and then, and a long one has them always', () => {
    const usual = (seed: number, seconds: number) =>
      Number.isFinite(drawnSettings(seed, seconds * 1_000, WORKLOADS).operatedMilliseconds) ? 0 : 1
    const seeds = Array.from({ length: 200 }, (_, seed) => seed)
    const count = (seconds: number) => seeds.reduce((sum, seed) => sum + usual(seed, seconds), 0)
    expect(count(60)).toBe(seeds.length)
    expect(count(SECONDS)).toBeGreaterThan(0)
    expect(count(SECONDS)).toBeLessThan(seeds.length / 2)
  })
})
