import { describe, expect, it } from 'vitest'
import { VirtualClock } from './virtual-clock.js'

describe('a virtual clock', () => {
  it('passes an hour at once', async () => {
    const clock = new VirtualClock(0)
    const woke = await clock.run(async () => {
      await clock.sleep(3_600_000)
      return clock.now()
    })
    expect(woke).toBe(3_600_000)
  })

  it('wakes sleepers in the order of their times, and equal times in the order they fell asleep', async () => {
    const clock = new VirtualClock(0)
    const woken: string[] = []
    const sleeper = async (name: string, milliseconds: number) => {
      await clock.sleep(milliseconds)
      woken.push(name)
    }
    await clock.run(() =>
      Promise.all([sleeper('late', 20), sleeper('first', 10), sleeper('second', 10)]).then(() => {}),
    )
    expect(woken).toEqual(['first', 'second', 'late'])
  })

  it('does not move on while a chain of promises still runs', async () => {
    const clock = new VirtualClock(0)
    const seen: number[] = []
    await clock.run(async () => {
      const sleeping = clock.sleep(5)
      for (let step = 0; step < 1000; step++) await Promise.resolve()
      seen.push(clock.now())
      await sleeping
      seen.push(clock.now())
    })
    expect(seen).toEqual([0, 5])
  })

  it('hands on what the work throws', async () => {
    const clock = new VirtualClock()
    await expect(clock.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('says so when the work waits for something that will never come', async () => {
    const clock = new VirtualClock()
    await expect(clock.run(() => new Promise(() => {}))).rejects.toThrow('Virtual time stands still')
  })

  it('ends a sleep whose signal aborts', async () => {
    const clock = new VirtualClock(0)
    const abort = new AbortController()
    await clock.run(async () => {
      const sleeping = clock.sleep(1000, abort.signal)
      abort.abort(new Error('enough'))
      await expect(sleeping).rejects.toThrow('enough')
    })
    expect(clock.now()).toBe(0)
  })
})

it.each([['1000'], [Number.NaN], [Number.POSITIVE_INFINITY], [new Date(0)], [undefined]])(
  'virtual time is moved by no %o',
  (value) => {
    const clock = new VirtualClock()
    const before = clock.now()
    expect(() => clock.advance(value as never)).toThrow(TypeError)
    expect(clock.now()).toBe(before)
    if (value !== undefined) expect(() => new VirtualClock(value as never)).toThrow(/must be a finite number/)
  },
)
