import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { WatchedClock } from '../../test/watched-clock.js'
import { openPace, SparePace } from './spare-pace.js'

/** The units per second that are used in each of the given seconds. */
function usedUnits(
  seconds: number,
  isThrottled: (second: number, used: number) => boolean,
): Promise<number[]> {
  const clock = new VirtualClock()
  return clock.run(async () => {
    const pace = new SparePace(clock)
    const from = clock.now()
    const used = Array.from({ length: seconds }, () => 0)
    for (;;) {
      await pace.take(5, undefined)
      const second = Math.floor((clock.now() - from) / 1_000)
      if (second >= seconds) return used
      used[second] = (used[second] ?? 0) + 5
      if (isThrottled(second, used[second] ?? 0)) pace.throttled()
    }
  })
}

it('begins with a tenth of a partition, and grows within seconds while nothing is throttled', async () => {
  const used = await usedUnits(15, () => false)
  expect(used[0]).toBeLessThanOrEqual(110)
  expect(used[8]).toBeGreaterThan(1_500)
  expect(Math.max(...used)).toBeLessThanOrEqual(2_010)
})

it('uses most of what is to spare, and little more', async () => {
  const spare = 600
  const used = await usedUnits(120, (_second, units) => units > spare)
  const settled = used.slice(30)
  const mean = settled.reduce((sum, units) => sum + units, 0) / settled.length
  expect(mean).toBeGreaterThan(spare * 0.6)
  expect(Math.max(...settled)).toBeLessThan(spare * 1.1)
})

it('yields to a full partition down to a tenth of it, and no further', async () => {
  const used = await usedUnits(20, () => true)
  for (const units of used.slice(3)) {
    expect(units).toBeGreaterThanOrEqual(90)
    expect(units).toBeLessThanOrEqual(130)
  }
})

it('keeps a rate that was set, whatever is throttled', async () => {
  const clock = new VirtualClock()
  await clock.run(async () => {
    const pace = openPace(clock, 50)
    const from = clock.now()
    for (let taken = 0; taken < 20; taken++) {
      await pace.take(50, undefined)
      pace.throttled()
    }
    expect(clock.now() - from).toBe(19_000)
  })
})

it('makes up for units that only an answer shows', async () => {
  const clock = new VirtualClock(0)
  await clock.run(async () => {
    const pace = openPace(clock, undefined)
    await pace.take(10, undefined)
    pace.spent(40)
    await pace.take(1, undefined)
    // 50 units at 100 a second.
    expect(clock.now()).toBe(500)
  })
})

it.each([
  [999, 100],
  [1_000, 150],
])('has a rate after %i ms of %i units per second', async (milliseconds, unitsPerSecond) => {
  const clock = new VirtualClock(0)
  const pace = new SparePace(clock)
  await clock.run(async () => {
    await clock.sleep(milliseconds)
    await pace.take(unitsPerSecond, undefined)
    await pace.take(1, undefined)
  })
  expect(clock.now()).toBe(milliseconds + 1_000)
})

it.each([
  [999, 1_000],
  [1_000, 500],
])(
  'throttled at the highest rate, and again %i ms later, has a rate of %i units per second',
  async (milliseconds, unitsPerSecond) => {
    const clock = new VirtualClock(0)
    const pace = new SparePace(clock)
    await clock.run(async () => {
      for (let second = 0; second < 8; second++) {
        await clock.sleep(1_000)
        await pace.take(0, undefined)
      }
      pace.throttled()
      await clock.sleep(milliseconds)
      pace.throttled()
      const from = clock.now()
      await pace.take(unitsPerSecond, undefined)
      await pace.take(1, undefined)
      expect(clock.now() - from).toBe(1_000)
    })
  },
)

it('does not sleep before units that are free', async () => {
  const clock = new WatchedClock(0)
  const pace = openPace(clock, undefined)
  await clock.run(async () => {
    await pace.take(100, undefined)
    await clock.sleep(1_000)
    await pace.take(100, undefined)
  })
  expect(clock.sleeps).toEqual([{ milliseconds: 1_000 }])
})
