import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
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
