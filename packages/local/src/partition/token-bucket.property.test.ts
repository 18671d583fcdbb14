import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.js'

describe('a token bucket', () => {
  it('never admits more than rate x time + depth + one request, over any window', () => {
    const request = fc.record({
      after: fc.integer({ min: 0, max: 2000 }),
      units: fc.integer({ min: 1, max: 400 }),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(request, { maxLength: 200 }),
        (rate, burst, requests) => {
          let now = 0
          const bucket = new TokenBucket(rate, burst, now)
          const taken: { at: number; units: number }[] = []
          for (const { after, units } of requests) {
            now += after
            if (bucket.available(now) <= 0) continue
            bucket.take(units)
            taken.push({ at: now, units })
          }
          for (let first = 0; first < taken.length; first++) {
            let sum = 0
            for (let last = first; last < taken.length; last++) {
              const [begin, end] = [taken[first], taken[last]]
              if (begin === undefined || end === undefined) continue
              sum += end.units
              const seconds = (end.at - begin.at) / 1000
              expect(sum).toBeLessThanOrEqual(rate * seconds + rate * burst + end.units + 1e-6)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('saves unused units up to its depth', () => {
    const bucket = new TokenBucket(10, 300, 0)
    bucket.take(3000)
    expect(bucket.available(100_000)).toBe(1000)
    expect(bucket.available(10_000_000)).toBe(3000)
  })

  it('admits a request larger than what is left, and then pays back the debt first', () => {
    const bucket = new TokenBucket(100, 1, 0)
    bucket.take(350)
    expect(bucket.available(0)).toBe(-250)
    expect(bucket.available(2500)).toBe(0)
    expect(bucket.available(2600)).toBe(10)
  })

  it('keeps its saved units at another rate, up to the new depth', () => {
    const bucket = new TokenBucket(100, 10, 0)
    bucket.changeRate(20, 10, 0)
    expect(bucket.available(0)).toBe(200)
    expect(bucket.unitsPerSecond).toBe(20)
  })

  it('is free at once while units are left, and otherwise a moment after the last debt is paid', () => {
    const bucket = new TokenBucket(100, 1, 0)
    expect(bucket.freeAt(5)).toBe(5)
    bucket.take(100)
    expect(bucket.freeAt(5)).toBeCloseTo(5, 1)
    expect(bucket.freeAt(0)).toBeGreaterThan(0)
    bucket.take(100)
    const free = bucket.freeAt(5)
    expect(free).toBeCloseTo(1_005, 1)
    expect(bucket.available(free)).toBeGreaterThan(0)
  })

  it('that was read ahead of time is free from then on', () => {
    const bucket = new TokenBucket(100, 1, 1_000)
    expect(bucket.freeAt(0)).toBe(1_000)
    bucket.take(200)
    expect(bucket.freeAt(0)).toBeCloseTo(2_000, 1)
  })

  it('may begin with less than it holds, and never with more', () => {
    expect(new TokenBucket(10, 300, 0, 1).available(0)).toBe(10)
    expect(new TokenBucket(10, 1, 0, 300).available(0)).toBe(10)
  })

  it('is halved with its rate, its depth and its saved or owed units', () => {
    const bucket = new TokenBucket(100, 10, 0)
    bucket.take(1_200)
    const half = bucket.halve(1_000)
    for (const side of [bucket, half]) {
      expect(side.unitsPerSecond).toBe(50)
      expect(side.available(1_000)).toBe(-50)
      expect(side.available(100_000)).toBe(500)
    }
  })
})
