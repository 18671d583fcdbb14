import { describe, expect, it } from 'vitest'
import { WatchedClock } from '../../test/watched-clock.js'
import { BackgroundClock } from './background-clock.js'

describe('the clock of work that nobody waits for', () => {
  it('shows the same time as the clock that it is made of', () => {
    const clock = new WatchedClock(7)
    expect(new BackgroundClock(clock).now()).toBe(7)
    clock.advance(1_000)
    expect(new BackgroundClock(clock).now()).toBe(1_007)
  })

  it('sleeps as long, and lets the process end meanwhile', async () => {
    const clock = new WatchedClock(0)
    await clock.run(() => new BackgroundClock(clock).sleep(500))
    expect(clock.now()).toBe(500)
    expect(clock.sleeps).toEqual([{ milliseconds: 500, mayEndProcess: true }])
  })

  it('stops sleeping when the work is aborted', async () => {
    const clock = new WatchedClock(0)
    const work = new AbortController()
    await clock.run(async () => {
      const asleep = new BackgroundClock(clock).sleep(500, work.signal)
      work.abort(new Error('enough'))
      await expect(asleep).rejects.toThrow('enough')
    })
  })
})
