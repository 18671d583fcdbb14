import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { WatchedClock } from '../../test/watched-clock.js'
import { UnitPace } from './unit-pace.js'

describe('a fixed pace', () => {
  it('does not sleep before units that are free', async () => {
    const clock = new WatchedClock(0)
    const pace = new UnitPace(clock, 10)
    await clock.run(async () => {
      await pace.take(10, undefined)
      await clock.sleep(1_000)
      await pace.take(10, undefined)
    })
    expect(clock.sleeps).toEqual([{ milliseconds: 1_000 }])
  })

  it('spreads units evenly, including those that only an answer shows', async () => {
    const clock = new VirtualClock(0)
    const pace = new UnitPace(clock, 10)
    await clock.run(async () => {
      await pace.take(5, undefined)
      expect(clock.now()).toBe(0)
      await pace.take(5, undefined)
      expect(clock.now()).toBe(500)
      pace.spent(10)
      pace.throttled()
      await pace.take(1, undefined)
      expect(clock.now()).toBe(2_000)
      // Unused units do not add up.
      await clock.sleep(10_000)
      await pace.take(5, undefined)
      await pace.take(5, undefined)
      expect(clock.now()).toBe(12_500)
    })
  })

  it('stops waiting when the work is aborted', async () => {
    const clock = new VirtualClock(0)
    const pace = new UnitPace(clock, 1)
    const work = new AbortController()
    await clock.run(async () => {
      await pace.take(60, undefined)
      const waiting = pace.take(1, work.signal)
      work.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
    })
  })
})
