import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { areEven, areOfCoolerPlaces } from './even-shares.js'

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

describe('shares of the cooler of two places', () => {
  const all = () => true
  const none = () => false

  it('may be small at hot places', () => {
    expect(areOfCoolerPlaces([14, 85, 68, 78], (place) => place > 0)).toBe(true)
    expect(areOfCoolerPlaces([20, 150], none)).toBe(true)
    expect(areOfCoolerPlaces([100], all)).toBe(true)
  })

  it('are not small at cool places', () => {
    expect(areOfCoolerPlaces([14, 85, 68, 78], all)).toBe(false)
    expect(areOfCoolerPlaces([80, 80, 80, 0], (place) => place === 3)).toBe(false)
    expect(areOfCoolerPlaces([50, 60, 70, 60], all)).toBe(true)
  })

  it('are not larger than two draws allow', () => {
    expect(areOfCoolerPlaces([10, 300, 50, 50], none)).toBe(false)
  })
})
