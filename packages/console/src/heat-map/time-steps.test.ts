import { describe, expect, it } from 'vitest'
import { timeSteps } from './time-steps.js'

describe('the steps of a time axis', () => {
  it.each([
    ['seconds', 1, 1],
    ['ten seconds', 10, 10],
    ['minutes', 60, 60],
    ['seven minutes', 420, 600],
    ['days', 86_400, 86_400],
  ])('are never shorter than from value to value: %s', (_what, seconds, least) => {
    const times = Array.from({ length: 4 }, (_, at) => 1_800_000_000 + at * seconds)
    expect(timeSteps(times)[0]).toBe(least)
    expect(timeSteps(times)).toEqual(timeSteps(times).toSorted((one, other) => one - other))
  })

  it('are there for values of a quarter of a year, for one value and for none', () => {
    expect(timeSteps([0, 90 * 86_400])).toEqual([28 * 86_400])
    expect(timeSteps([1_800_000_000])[0]).toBe(1)
    expect(timeSteps([])[0]).toBe(1)
  })
})
