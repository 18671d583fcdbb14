import { describe, expect, it } from 'vitest'
import { doubling, incrementBy, proportional } from './policy.js'

const evidence = {
  shards: 4,
  offeredUnits: 0,
  acceptedUnits: 0,
  throttledUnits: 0,
  windowSeconds: 2,
  trend: 1,
  isCalculated: false,
  partitionUnitsPerSecond: 1_000,
}

const seen = (shards: number, offeredPerSecond: number, throttledShare: number) => ({
  ...evidence,
  shards,
  offeredUnits: 2 * offeredPerSecond,
  acceptedUnits: 2 * offeredPerSecond * (1 - throttledShare),
  throttledUnits: 2 * offeredPerSecond * throttledShare,
})

/** The count that a key gets: the library rounds up. */
const count = (...of: Parameters<typeof seen>) => Math.ceil(proportional()(seen(...of)))

describe('the proportional policy', () => {
  it('goes in one step to the count that carries the offer at the utilization that is aimed at', () => {
    expect(proportional({ targetUtilization: 1 })(seen(4, 16_000, 0.4))).toBe(16)
    expect(proportional({ targetUtilization: 0.5 })(seen(4, 16_000, 0.4))).toBe(32)
    expect(count(1, 32_000, 0.9)).toBe(46)
    expect(count(1, 1_100, 0.09)).toBe(2)
  })

  it('adds a part of a count that should be enough, in proportion to what is throttled', () => {
    expect(count(20, 10_000, 0.02)).toBe(22)
    expect(count(20, 10_000, 0.08)).toBe(28)
    expect(count(20, 10_000, 0.3)).toBe(30)
  })

  it('expects more of callers that wait for each answer, if most first attempts are throttled', () => {
    const blocked = (shards: number, share: number, offeredPerAccepted = 1.2) => {
      const acceptedUnits = shards * 2_000
      const evidence = { ...seen(shards, shards * 1_000 * offeredPerAccepted, share), acceptedUnits }
      return Math.ceil(proportional()(evidence))
    }
    expect(blocked(1, 0.5)).toBe(2)
    expect(blocked(1, 0.55)).toBe(4)
    expect(blocked(1, 0.99)).toBe(4)
    expect(blocked(2, 0.55)).toBe(7)
    expect(blocked(2, 0.99)).toBe(7)
    expect(blocked(10, 0.99)).toBe(35)
    expect(blocked(10, 0.99, 1.35)).toBe(29)
    expect(blocked(10, 0.99, 1.5)).toBe(22)
    expect(count(1, 2_000, 0.75)).toBe(3)
  })

  it('knows that the partition of a throttled key with one shard is full', () => {
    const unseen = { ...seen(1, 500, 1), acceptedUnits: 0 }
    expect(Math.ceil(proportional()(unseen))).toBe(3)
  })

  it('adds little where retries give the callers what they want', () => {
    const satisfied = { ...seen(8, 4_000, 0.6), acceptedUnits: 2 * 3_900 }
    expect(Math.ceil(proportional()(satisfied))).toBe(9)
    expect(Math.ceil(proportional()({ ...satisfied, shards: 4 }))).toBe(12)
    expect(Math.ceil(proportional()({ ...satisfied, shards: 9 }))).toBe(9)
  })

  it('expects a rising rate to rise on, within limits', () => {
    const rising = (trend: number) => Math.ceil(proportional()({ ...seen(1, 1_400, 0.3), trend }))
    expect([0.5, 1.1, 1.2, 1.3, 1.5, 9].map(rising)).toEqual([2, 2, 2, 3, 3, 3])
  })

  it('keeps no reserve for blocked callers of a rising key, whose rise is one', () => {
    expect(Math.ceil(proportional()({ ...seen(1, 1_400, 0.6), trend: 1.3 }))).toBe(3)
  })

  it('trusts what the shards take more than the offer, while fewer than a tenth of the first attempts are throttled', () => {
    expect(count(4, 8_000, 0.05)).toBe(7)
    expect(count(4, 8_000, 0.1)).toBe(12)
  })

  it('takes callers for satisfied from 95 % on, if the shards should be enough, and no sooner', () => {
    const retried = (
      shards: number,
      offeredPerSecond: number,
      acceptedShare: number,
      targetUtilization = 0.7,
    ) => {
      const evidence = seen(shards, offeredPerSecond, 0.6)
      const acceptedUnits = 2 * offeredPerSecond * acceptedShare
      return Math.ceil(proportional({ targetUtilization })({ ...evidence, acceptedUnits }))
    }
    expect([0.95, 0.94].map((share) => retried(8, 4_000, share))).toEqual([9, 12])
    // Exactly as many as should be enough, and one fewer.
    expect([8, 7].map((shards) => retried(shards, 8_000, 0.96, 1))).toEqual([10, 16])
  })

  it('does not take partitions for full because a key with several shards is throttled', () => {
    const unseen = { ...seen(2, 1_200, 0.6), acceptedUnits: 2 * 500, isCalculated: true }
    expect(Math.ceil(proportional()(unseen))).toBe(3)
    const small = { ...seen(2, 500, 0.6), acceptedUnits: 2 * 450 }
    expect(Math.ceil(proportional()(small))).toBe(2)
  })

  it('gives a key half as many more whose next change has to wait for this one', () => {
    expect(Math.ceil(proportional()({ ...seen(1, 4_000, 0.75), isCalculated: true }))).toBe(9)
  })

  it('gives no shard less than a quarter of a partition', () => {
    expect(count(16, 4_000, 0.3)).toBe(16)
    expect(count(1, 400, 0.3)).toBe(1)
    expect(count(1, 500, 0.3)).toBe(2)
  })
})

const invalid = (option: string, value: unknown) =>
  expect.objectContaining({ code: 'options.invalid', details: { option, value } })

describe('the share of a partition that the proportional policy aims at', () => {
  it.each([0, -0.5, 1.01, Number.NaN])('is not %d', (targetUtilization) => {
    expect(() => proportional({ targetUtilization })).toThrow(
      invalid('proportional.targetUtilization', targetUtilization),
    )
  })

  it('is the only option', () => {
    expect(() => proportional({ target: 0.5 } as never)).toThrow(
      expect.objectContaining({
        code: 'options.unknown',
        details: { option: 'proportional.target', known: ['targetUtilization'] },
      }),
    )
  })
})

describe('the simpler policies', () => {
  it('add so many, or as many again', () => {
    expect(incrementBy(3)(evidence)).toBe(7)
    expect(doubling()(evidence)).toBe(8)
  })

  it('add 1 to 100', () => {
    expect([1, 100].map((step) => incrementBy(step)(evidence))).toEqual([5, 104])
    for (const step of [0, 101, 1.5]) {
      expect(() => incrementBy(step)).toThrow(invalid('incrementBy(step)', step))
    }
  })
})
