import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyHeat } from './key-heat.js'
import { sampledShare } from './sampled-share.js'

const units = fc.double({ min: 0, max: 5_000, noNaN: true })

describe('the heat of a key', () => {
  it('is exact where a table is only written to, or only read', () => {
    expect(keyHeat(3_000, { writeUnits: 2_000, readUnits: 0 })).toMatchObject({
      writes: { value: 1_000, atLeast: 1_000, atMost: 1_000 },
      reads: { value: 0, atMost: 0 },
      ofPartition: { value: 1, atLeast: 1, atMost: 1 },
    })
    expect(keyHeat(1_500, { writeUnits: 0, readUnits: 4_000 })).toMatchObject({
      writes: { value: 0 },
      reads: { value: 1_500, atLeast: 1_500 },
      ofPartition: { value: 0.5 },
    })
  })

  it('has the truth within its bounds, whatever the key and the others do', () => {
    fc.assert(
      fc.property(units, units, units, units, (writes, reads, otherWrites, otherReads) => {
        const table = { writeUnits: writes + otherWrites, readUnits: reads + otherReads }
        const heat = keyHeat(3 * writes + reads, table)
        for (const [truth, { atLeast, value, atMost }] of [
          [writes, heat.writes],
          [reads, heat.reads],
          [Math.max(writes / 1_000, reads / 3_000), heat.ofPartition],
        ] as const) {
          expect(atLeast).toBeLessThanOrEqual(truth + 1e-6)
          expect(atMost).toBeGreaterThanOrEqual(truth - 1e-6)
          expect(value).toBeGreaterThanOrEqual(atLeast - 1e-6)
          expect(value).toBeLessThanOrEqual(atMost + 1e-6)
        }
      }),
    )
  })

  it('is a range where the table is not known', () => {
    expect(keyHeat(3_000, { writeUnits: 0, readUnits: 0 })).toMatchObject({
      writes: { atLeast: 0, atMost: 1_000 },
      reads: { atLeast: 0, atMost: 3_000 },
      ofPartition: { atLeast: 0.5, atMost: 1 },
    })
  })
})

describe('the share of a sample', () => {
  it('has bounds that narrow with the sample', () => {
    const [small, large] = [sampledShare(10, 100), sampledShare(1_000, 10_000)]
    expect(small.value).toBe(large.value)
    expect(small.atMost - small.atLeast).toBeGreaterThan(5 * (large.atMost - large.atLeast))
    expect(large.atLeast).toBeGreaterThan(0.09)
  })

  it('is within 0 and 1, for nothing and for all', () => {
    expect(sampledShare(0, 10)).toMatchObject({ value: 0, atLeast: 0 })
    expect(sampledShare(10, 10)).toMatchObject({ value: 1, atMost: 1 })
    expect(sampledShare(0, 0)).toEqual({ value: 0, atLeast: 0, atMost: 1 })
  })
})
