import { VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { KeyHeat, MAX_FOLLOWED_KEYS } from './key-heat.js'

const WINDOW_MILLISECONDS = 5_000

/** Writes to more keys than are followed, most of them cold, with pauses in which weights are halved. */
const writes = fc.array(
  fc.record({
    key: fc.oneof(fc.nat(9), fc.nat(MAX_FOLLOWED_KEYS * 2)),
    units: fc.integer({ min: 1, max: 50 }),
    pauseMilliseconds: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.nat(12_000)),
  }),
  { minLength: 1_000, maxLength: 2_000, size: 'max' },
)

it('the true units of a key lie within the bounds that the sketch gives, and those of a missing key below its bound', () => {
  fc.assert(
    fc.property(writes, fc.integer({ min: 1, max: MAX_FOLLOWED_KEYS }), (steps, top) => {
      const clock = new VirtualClock(0)
      const heat = new KeyHeat(clock)
      const written: { readonly key: string; readonly units: number; readonly window: number }[] = []
      const windowNow = () => Math.floor(clock.now() / WINDOW_MILLISECONDS)
      for (const { key, units, pauseMilliseconds } of steps) {
        clock.advance(pauseMilliseconds)
        heat.offered({ S: String(key) } as LogicalKey, units)
        written.push({ key: String(key), units, window: windowNow() })
      }
      const truth = new Map<string, number>()
      for (const { key, units, window } of written)
        truth.set(key, (truth.get(key) ?? 0) + units * 0.5 ** (windowNow() - window))
      const { keys, otherKeysAtMost } = heat.hottest(top)
      const slack = 1e-6
      for (const { key, recentUnits, recentUnitsError } of keys) {
        const text = 'S' in key ? key.S : ''
        const units = truth.get(text) ?? 0
        expect(units).toBeLessThanOrEqual(recentUnits + slack)
        expect(units).toBeGreaterThanOrEqual(recentUnits - recentUnitsError - slack)
        truth.delete(text)
      }
      expect(Math.max(0, ...truth.values())).toBeLessThanOrEqual(otherKeysAtMost + slack)
    }),
    { numRuns: 30 },
  )
})
