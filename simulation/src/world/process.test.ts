import { describe, expect, it } from 'vitest'
import { Process } from './process.js'
import { Scheduler } from './scheduler.js'

function born(rate = 1) {
  const scheduler = new Scheduler(0)
  return { scheduler, process: new Process(scheduler, { name: 'p', seed: 1, rate, calendarOffset: 0 }) }
}

describe('a simulated process', () => {
  it('goes on after a pause with what it waited for', async () => {
    const { scheduler, process } = born()
    let wokenAt = 0
    process.clock.sleep(10).then(() => {
      wokenAt = scheduler.now()
    })
    process.pause(500)
    await scheduler.run(1_000)
    expect(wokenAt).toBe(500)
  })

  it('never goes on after a crash', async () => {
    const { scheduler, process } = born()
    let isWoken = false
    process.clock.sleep(10).then(() => {
      isWoken = true
    })
    process.crash()
    await scheduler.run(1_000)
    expect(isWoken).toBe(false)
  })

  it('has a clock that runs at its own rate, and jumps without moving a timer', async () => {
    const { scheduler, process } = born(2)
    const sleeping = process.clock.sleep(1_000)
    process.clock.jump(60_000)
    let wokenAt = 0
    sleeping.then(() => {
      wokenAt = scheduler.now()
    })
    await scheduler.run(2_000)
    expect(wokenAt).toBe(500)
    expect(process.clock.now()).toBe(64_000)
  })
})
