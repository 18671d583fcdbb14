import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomInteger } from './random.js'
import { SeededRandom } from './seeded-random.js'
import { SystemRandom } from './system-random.js'

describe('chance', () => {
  it('is the same for the same seed and another for another', () => {
    const draw = (seed: number) => {
      const random = new SeededRandom(seed)
      return Array.from({ length: 20 }, () => random.next())
    }
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
  })

  it('lies in [0, 1) and fills it evenly', () => {
    const random = new SeededRandom(7)
    const buckets = new Array<number>(10).fill(0)
    for (let draw = 0; draw < 100_000; draw++) {
      const bucket = Math.floor(random.next() * 10)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    expect(buckets).toHaveLength(10)
    for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  })

  it('draws whole numbers within both bounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(50), (seed, from, span) => {
        const drawn = randomInteger(new SeededRandom(seed), from, from + span)
        expect(Number.isInteger(drawn) && drawn >= from && drawn <= from + span).toBe(true)
      }),
    )
    expect(randomInteger(new SystemRandom(), 3, 3)).toBe(3)
  })

  it('refuses a seed that is not a whole number', () => {
    expect(() => new SeededRandom(1.5)).toThrow('The seed is 1.5')
  })
})
