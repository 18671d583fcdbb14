import { describe, expect, it } from 'vitest'
import { FastClock } from './fast-clock.js'

describe('a fast clock', () => {
  it('passes a minute of its own time in a thousandth of it at speed 1000', async () => {
    const clock = new FastClock(1000)
    const from = clock.now()
    await clock.sleep(60_000)
    expect(clock.now() - from).toBeGreaterThanOrEqual(59_000)
  })

  it('begins at the time of the day', () => {
    expect(Math.abs(new FastClock(1).now() - Date.now())).toBeLessThan(1000)
  })

  it('ends a sleep whose signal aborts, with the reason', async () => {
    const abort = new AbortController()
    const sleeping = new FastClock(2).sleep(3_600_000, abort.signal)
    abort.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
  })

  it('refuses a speed that is not a number above zero', () => {
    for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new FastClock(speed)).toThrow(`speed is ${speed}`)
    }
  })
})
