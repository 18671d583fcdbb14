import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { Deadlines } from './deadlines.js'

describe('deadlines', () => {
  it('end what takes too long, each at its time, and nothing that has ended before', async () => {
    const clock = new VirtualClock()
    const from = clock.now()
    const late: string[] = []
    const deadlines = new Deadlines(clock, 100)
    const begin = (name: string) => deadlines.begin(() => late.push(`${name} at ${clock.now() - from}`))
    await clock.run(async () => {
      begin('first')
      await clock.sleep(40)
      const quick = begin('quick')
      begin('second')
      await clock.sleep(10)
      quick()
      await clock.sleep(1_000)
      expect(late).toEqual(['first at 100', 'second at 140'])
      begin('third')
      await clock.sleep(1_000)
    })
    expect(late).toEqual(['first at 100', 'second at 140', 'third at 1150'])
  })
})
