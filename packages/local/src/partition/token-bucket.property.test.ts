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
})
