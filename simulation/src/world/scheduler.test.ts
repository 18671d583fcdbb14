import { describe, expect, it } from 'vitest'
import { Scheduler } from './scheduler.js'

describe('the line of time of a world', () => {
  it('makes steps in the order of their times, and equal times in the order they were planned', async () => {
    const scheduler = new Scheduler(0)
    const made: string[] = []
    scheduler.at(20, () => made.push('late'))
    scheduler.at(10, () => made.push('first'))
    scheduler.at(10, () => made.push('second'))
    await scheduler.run(100)
    expect(made).toEqual(['first', 'second', 'late'])
    expect(scheduler.now()).toBe(100)
  })

  it('lets every promise come to rest between two steps', async () => {
    const scheduler = new Scheduler(0)
    const seen: string[] = []
    const chain = async () => {
      for (let turn = 0; turn < 1_000; turn++) await Promise.resolve()
      seen.push(`rest at ${scheduler.now()}`)
    }
    scheduler.at(1, () => chain())
    scheduler.at(2, () => seen.push('next'))
    await scheduler.run(10)
    expect(seen).toEqual(['rest at 1', 'next'])
  })

  it('makes no further step once it is stopped', async () => {
    const scheduler = new Scheduler(0)
    let made = 0
    const again = () => {
      made += 1
      if (made === 3) scheduler.stop()
      scheduler.after(1, again)
    }
    again()
    await scheduler.run(1_000)
    expect(made).toBe(3)
  })
})
