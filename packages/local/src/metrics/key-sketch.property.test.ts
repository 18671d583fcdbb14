import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeySketch } from './key-sketch.js'
import { UniqueCount } from './unique-count.js'

/** Requests of a skewed load: the number of a key, which is usually small and sometimes from a long tail. */
const requests = fc.array(
  fc.tuple(fc.oneof(fc.nat(5), fc.nat(300), fc.nat(100_000)), fc.integer({ min: 1, max: 20 })),
  { minLength: 3000, maxLength: 6000 },
)

function weightsOf(load: readonly (readonly [number, number])[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const [key, weight] of load) weights.set(`${key}`, (weights.get(`${key}`) ?? 0) + weight)
  return weights
}

function sketchOf(load: readonly (readonly [number, number])[]): KeySketch {
  const sketch = new KeySketch()
  for (const [key, weight] of load) sketch.add(`${key}`, weight)
  return sketch
}

describe('a sketch of keys', () => {
  it('is exact while there are few', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(511), fc.integer({ min: 1, max: 20 }))), (load) => {
        expect(new Map(sketchOf(load).top(512))).toEqual(weightsOf(load))
      }),
    )
  })

  it('never overstates a key, and keeps every key with a fiftieth of the total', () => {
    fc.assert(
      fc.property(requests, (load) => {
        const weights = weightsOf(load)
        const sketch = sketchOf(load)
        const top = new Map(sketch.top(512))
        for (const [key, told] of top) expect(told).toBeLessThanOrEqual(weights.get(key) ?? 0)
        for (const [key, weight] of weights) {
          if (weight >= sketch.total / 50) expect(top.get(key)).toBeGreaterThan(weight / 2)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a count of distinct texts', () => {
  it.each([0, 1, 10, 300, 10_000, 200_000])('estimates how many there were, for %i', (texts) => {
    const even = new UniqueCount()
    const odd = new UniqueCount()
    for (let text = 0; text < texts; text++) {
      const half = text % 2 === 0 ? even : odd
      half.add(`customer-${text}`)
      half.add(`customer-${text}`)
    }
    even.merge(odd)
    expect(Math.abs(even.estimate - texts)).toBeLessThanOrEqual(texts * 0.15)
  })
})
