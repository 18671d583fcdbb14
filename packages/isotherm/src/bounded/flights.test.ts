import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { Flights } from './flights.js'

it('work is joined until it has ended, or been under way for too long', async () => {
  const clock = new VirtualClock()
  const flights = new Flights<number>(clock, 1_000)
  let started = 0
  const start = (milliseconds: number) => () => {
    started += 1
    return clock.sleep(milliseconds).then(() => milliseconds)
  }
  await clock.run(async () => {
    const long = flights.join('k', start(5_000))
    await clock.sleep(999)
    expect(flights.join('k', start(1))).toBe(long)
    expect(flights.under('other')).toBeUndefined()
    await clock.sleep(1)
    expect(flights.under('k')).toBeUndefined()
    const second = flights.join('k', start(4_500))
    expect(started).toBe(2)
    // The end of the first one is not that of the second one.
    expect(await long).toBe(5_000)
    const third = flights.join('k', start(200))
    expect(started).toBe(3)
    expect(await third).toBe(200)
    expect(flights.under('k')).toBeUndefined()
    expect(await second).toBe(4_500)
  })
})
