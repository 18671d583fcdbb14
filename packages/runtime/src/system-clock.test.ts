import { describe, expect, it, vi } from 'vitest'
import { SystemClock } from './system-clock.js'

describe('the system clock', () => {
  it('agrees with the calendar', () => {
    expect(Math.abs(new SystemClock().now() - Date.now())).toBeLessThan(1000)
  })

  it('never goes back', () => {
    const clock = new SystemClock()
    let last = clock.now()
    for (let reading = 0; reading < 1000; reading++) {
      const now = clock.now()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  })

  it('ends a sleep whose signal aborts, with the reason', async () => {
    const abort = new AbortController()
    const sleeping = new SystemClock().sleep(3_600_000, abort.signal)
    abort.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    await expect(new SystemClock().sleep(1, abort.signal)).rejects.toThrow('enough')
  })

  it('sleeps for longer than a timer of Node lasts, until a signal aborts', async () => {
    vi.useFakeTimers()
    try {
      const days = 30 * 86_400_000
      const woken: string[] = []
      const abort = new AbortController()
      new SystemClock().sleep(days).then(() => woken.push('by itself'))
      new SystemClock().sleep(2 * days, abort.signal).catch((reason) => woken.push(reason))
      await vi.advanceTimersByTimeAsync(days - 1)
      expect(woken).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(woken).toEqual(['by itself'])
      abort.abort('by a signal')
      await vi.advanceTimersByTimeAsync(0)
      expect(woken).toEqual(['by itself', 'by a signal'])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('adds the time that the machine slept, if it is told to', () => {
    const clock = new SystemClock({ noticesSuspension: true })
    const deaf = new SystemClock()
    const from = clock.now()
    const calendar = vi.spyOn(Date, 'now')
    try {
      const awake = Date.now()
      calendar.mockImplementation(() => awake + 60_000)
      expect(clock.now() - from).toBeGreaterThanOrEqual(59_000)
      expect(clock.now() - from).toBeLessThan(70_000)
      expect(deaf.now() - from).toBeLessThan(10_000)
      calendar.mockImplementation(() => awake)
      expect(clock.now() - from).toBeGreaterThanOrEqual(59_000)
      expect(clock.now() - from).toBeLessThan(70_000)
    } finally {
      calendar.mockRestore()
    }
  })

  it.each([
    ['behind', -3_600_000],
    ['ahead', 7_200_000],
  ])('adds that time also after the calendar was %s', (_where, wrong) => {
    const calendar = vi.spyOn(Date, 'now')
    try {
      const right = Date.now()
      const clock = new SystemClock({ noticesSuspension: true })
      calendar.mockImplementation(() => right + wrong)
      clock.now()
      calendar.mockImplementation(() => right)
      const from = clock.now()
      calendar.mockImplementation(() => right + 600_000)
      // The calendar stands still in this test and the counter runs, which takes as much off.
      expect(clock.now() - from).toBeGreaterThan(599_000)
      expect(clock.now() - from).toBeLessThan(610_000)
    } finally {
      calendar.mockRestore()
    }
  })
})
