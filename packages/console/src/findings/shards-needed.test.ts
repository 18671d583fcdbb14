import { describe, expect, it } from 'vitest'
import { shardsNeeded } from './shards-needed.js'

const limit = { writes: 1_000, reads: 3_000 }
const traffic = { writes: 0, reads: 0, throttles: 0, otherWrites: 0, otherReads: 0 }

describe('the shards that a key needs', () => {
  it('are one, if its partition has room for it', () => {
    const need = shardsNeeded({ ...traffic, writes: 600 }, { limit, partitions: 4 }, 1)
    expect(need).toMatchObject({ access: 'write', least: 1, shards: 1, isShort: false, oddsNow: 1 })
  })

  it('are more than the plain ratio, because shards meet in partitions', () => {
    const hot = { ...traffic, writes: 1_000, throttles: 500 }
    const few = shardsNeeded(hot, { limit, partitions: 4 }, 3)
    const many = shardsNeeded(hot, { limit, partitions: 64 }, 3)
    expect(few).toMatchObject({ asked: 1_500, least: 3, isShort: false, partitions: 4 })
    expect(few.shards).toBeGreaterThan(many.shards)
    expect(many.shards).toBeGreaterThan(3)
    // Three shards on four partitions have one each in 24 of 64 cases.
    expect(few.oddsNow).toBeCloseTo(24 / 64, 6)
    expect(shardsNeeded(hot, { limit, partitions: 4 }, few.shards).oddsNow).toBeGreaterThanOrEqual(0.99)
  })

  it('leave room for the other keys', () => {
    const hot = { ...traffic, writes: 1_500 }
    const alone = shardsNeeded(hot, { limit, partitions: 16 }, 1)
    const among = shardsNeeded({ ...hot, otherWrites: 6_000 }, { limit, partitions: 16 }, 1)
    expect(among.shards).toBeGreaterThan(alone.shards)
  })

  it('are for more partitions, if those that there are cannot carry it', () => {
    const need = shardsNeeded({ ...traffic, writes: 1_000, throttles: 3_000 }, { limit, partitions: 4 }, 1)
    expect(need).toMatchObject({ isShort: true, partitions: 8, least: 6 })
    expect(need.shards).toBeGreaterThanOrEqual(6)
  })

  it('are by reads where these are closer to the limit', () => {
    const need = shardsNeeded(
      { ...traffic, writes: 100, reads: 3_000, throttles: 900 },
      { limit, partitions: 8 },
      2,
    )
    expect(need).toMatchObject({ access: 'read', capacity: 3_000, least: 2 })
  })

  it('are known at once for a huge table and an endless demand', () => {
    const need = shardsNeeded({ ...traffic, writes: 1_000, throttles: 9e6 }, { limit, partitions: 40_000 }, 1)
    expect(need.isShort).toBe(true)
    expect(Number.isFinite(need.shards)).toBe(true)
  })
  it('are computed once for the same traffic', () => {
    const hot = { ...traffic, writes: 1_000, throttles: 500 }
    const need = shardsNeeded(hot, { limit, partitions: 4 }, 3)
    expect(shardsNeeded({ ...hot }, { limit, partitions: 4 }, 3)).toBe(need)
    expect(shardsNeeded(hot, { limit, partitions: 8 }, 3)).not.toEqual(need)
  })
})
