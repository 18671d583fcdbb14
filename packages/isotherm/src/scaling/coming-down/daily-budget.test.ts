import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { DailyBudget } from './daily-budget.js'

const HOUR = 3_600_000

describe('a budget of units a day', () => {
  it('is spent at once or bit by bit, and is there again after a day', async () => {
    const clock = new VirtualClock()
    await clock.run(async () => {
      const budget = new DailyBudget(clock, 240)
      expect(budget.spend(241)).toBe(false)
      expect(budget.spend(200)).toBe(true)
      expect(budget.spend(41)).toBe(false)
      await clock.sleep(HOUR)
      expect(budget.spend(51)).toBe(false)
      expect(budget.spend(50)).toBe(true)
      await clock.sleep(100 * 24 * HOUR)
      expect(budget.spend(241)).toBe(false)
      expect(budget.spend(240)).toBe(true)
      budget.giveBack(100)
      expect(budget.spend(101)).toBe(false)
      expect(budget.spend(100)).toBe(true)
      budget.giveBack(300)
      expect(budget.spend(241)).toBe(false)
    })
  })

  it('of nothing allows nothing but what is free', () => {
    const budget = new DailyBudget(new VirtualClock(), 0)
    expect(budget.spend(0)).toBe(true)
    expect(budget.spend(1)).toBe(false)
  })
})
