import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { areEven } from './even-shares.js'

describe('shares', () => {
  it('are even where chance alone has thrown them', () => {
    const random = new SeededRandom(1)
    for (let trial = 0; trial < 2_000; trial++) {
      const counts = new Array<number>(2 + (trial % 15)).fill(0)
      for (let thrown = 0; thrown < 150; thrown++) {
        const place = Math.floor(random.next() * counts.length)
        counts[place] = (counts[place] ?? 0) + 1
      }
      expect(areEven(counts), counts.join(', ')).toBe(true)
    }
  })

  it('are not where one has half of all', () => {
    expect(areEven([75, 25, 25, 25])).toBe(false)
  })

  it('are not where one has none', () => {
    expect(areEven([50, 50, 50, 0])).toBe(false)
  })

  it('are even where there is one alone, and where there is too little to tell', () => {
    expect(areEven([100])).toBe(true)
    expect(areEven([5, 0, 0, 0])).toBe(true)
  })
})
