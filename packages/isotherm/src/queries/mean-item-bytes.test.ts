import { describe, expect, it } from 'vitest'
import { MeanItemBytes } from './mean-item-bytes.js'

describe('the mean size of items', () => {
  it('is that of the first items that are read, whatever was assumed before', () => {
    const mean = new MeanItemBytes()
    expect([mean.bytes, mean.isKnown]).toEqual([4_096, false])
    mean.observe(1_000, 10)
    expect([mean.bytes, mean.isKnown]).toEqual([100, true])
  })

  it('follows later items by half', () => {
    const mean = new MeanItemBytes()
    mean.observe(100, 1)
    mean.observe(600, 2)
    expect(mean.bytes).toBe(200)
  })

  it.each([
    [0, 0],
    [100, 0],
    [0, 10],
    [-2_048, 10],
  ])('is not learned from %i bytes of %i items', (bytes, items) => {
    const mean = new MeanItemBytes()
    mean.observe(bytes, items)
    expect([mean.bytes, mean.isKnown]).toEqual([4_096, false])
  })
})
