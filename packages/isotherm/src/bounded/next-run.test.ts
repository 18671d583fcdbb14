import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { NextRun } from './next-run.js'

function counted() {
  const clock = new VirtualClock()
  const runs = new NextRun<number>()
  let [begun, underWay, most] = [0, 0, 0]
  const work = async () => {
    begun += 1
    underWay += 1
    most = Math.max(most, underWay)
    const began = clock.now()
    await clock.sleep(10)
    underWay -= 1
    return began
  }
  return { clock, runs, work, figures: () => ({ begun, most }) }
}

describe('callers of shared work', () => {
  it('share the run after the one that is under way, which begins after their calls', async () => {
    const { clock, runs, work, figures } = counted()
    await clock.run(async () => {
      const call = async () => {
        const asked = clock.now()
        expect(await runs.join(work)).toBeGreaterThanOrEqual(asked)
      }
      const calls: Promise<void>[] = []
      for (let at = 0; at < 25; at++) {
        calls.push(call(), call())
        await clock.sleep(1)
      }
      await Promise.all(calls)
      expect(figures()).toEqual({ begun: 4, most: 1 })
      await call()
      expect(figures()).toEqual({ begun: 5, most: 1 })
    })
  })

  it('have the failures of their own run alone', async () => {
    const { clock, runs, work } = counted()
    await clock.run(async () => {
      const failing = runs.join(async () => {
        await work()
        throw new Error('unreachable')
      })
      const calls = await Promise.allSettled([failing, runs.join(work), runs.join(work)])
      expect(calls.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    })
  })
})
