import { describe, expect, it } from 'vitest'
import { WindowCounter } from './window-counter.js'

describe('the sum of a window', () => {
  it('is that of the current window, and the part of the one before that is not over', () => {
    const counter = new WindowCounter(1_000)
    counter.add(80, 200)
    counter.add(20, 900)
    expect(counter.sum(999)).toBe(100)
    expect(counter.sum(1_000)).toBe(100)
    expect(counter.sum(1_250)).toBe(75)
    counter.add(10, 1_500)
    expect(counter.sum(1_500)).toBe(60)
    expect(counter.sum(2_500)).toBe(5)
  })

  it('has nothing of an earlier window', () => {
    const counter = new WindowCounter(1_000)
    counter.add(100, 500)
    expect(counter.sum(2_000)).toBe(0)
    counter.add(7, 2_000)
    expect(counter.sum(2_000)).toBe(7)
  })

  it('is that of a steady rate at any time', () => {
    const counter = new WindowCounter(1_000)
    for (let now = 0; now < 5_000; now += 10) {
      counter.add(1, now)
      if (now >= 1_000) expect(counter.sum(now)).toBeCloseTo(100, -1)
    }
  })

  it('begins with nothing after a reset, nor with what was before', () => {
    const counter = new WindowCounter(1_000)
    counter.add(100, 500)
    counter.add(100, 1_100)
    counter.reset()
    expect(counter.sum(1_200)).toBe(0)
    expect(counter.sum(2_100)).toBe(0)
  })
})
