import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { firstState, type ShardState } from '../../protocol/states/shard-state.js'
import { itemHash } from './item-hash.js'
import { SAMPLES_PER_SECOND, ThrottledKey, unitsPerSample } from './throttled-key.js'

const STATE = firstState(1, 1_800_000_000)

function scaled(shards: number, phase: 'settled' | 'moved'): ShardState {
  const at = 1_800_000_000 + shards
  const base = { shards, lastUpdated: at, history: ['1800000000:1', `${at}:${shards}`] }
  return phase === 'settled' ? { ...base, phase } : { ...base, phase, from: 1, to: shards }
}

describe('the units of a sample', () => {
  const one = { shards: 1, partitionUnitsPerSecond: 1_000 }

  it('make a fleet report a dozen a second, by the share of its traffic that one process finds throttled', () => {
    // Three of four writes are throttled, and a shard accepts 1,000 units: 3,000 are throttled.
    const own = { acceptedUnits: 999, throttledUnits: 2_999 }
    expect(unitsPerSample(own, 1, one)).toBe(3_000 / SAMPLES_PER_SECOND)
    expect(unitsPerSample(own, 1, { ...one, shards: 4 })).toBe(12_000 / SAMPLES_PER_SECOND)
  })

  it('take the first throttled write of a process for one of two', () => {
    expect(unitsPerSample({ acceptedUnits: 0, throttledUnits: 0 }, 1, one)).toBe(1_000 / SAMPLES_PER_SECOND)
  })

  it('are no more than a hundred throttled units for an accepted one make them', () => {
    const own = { acceptedUnits: 0, throttledUnits: 5_000 }
    expect(unitsPerSample(own, 1, one)).toBe(100_000 / SAMPLES_PER_SECOND)
  })
})

describe('what a process knows of a throttled key', () => {
  const open = () => new ThrottledKey(STATE, 0, { next: () => 0 } as never, 2_000)
  const own = (offeredSoFar: number, acceptedSoFar: number) => ({ offeredSoFar, acceptedSoFar })
  const write = (units: number, item?: { S: string }) => ({ units, item, unitsPerSample: 10 })

  it('is of one count in one phase', () => {
    const key = new ThrottledKey(scaled(4, 'settled'), 0, new SeededRandom(7), 2_000)
    expect(key.isOf(scaled(4, 'settled'))).toBe(true)
    expect(key.isOf(scaled(8, 'settled'))).toBe(false)
    expect(key.isOf(scaled(4, 'moved'))).toBe(false)
    expect(open().isOf(firstState(1, 1_900_000_000))).toBe(true)
    expect(open().isOf(firstState(2, 1_800_000_000))).toBe(false)
  })

  it('has the items whose writes were throttled, by their class', () => {
    const key = open()
    const item = { S: 'hot' }
    key.throttled(write(1, item), own(1, 0), 1)
    key.throttled(write(1), own(2, 0), 1)
    expect(key.itemOf(itemHash(item))).toBe(item)
    expect(key.itemOf((itemHash(item) + 1) % 8)).toBeUndefined()
  })

  it('takes writes of unknown items for writes of many', () => {
    const key = open()
    for (let at = 0; at < 8; at++) key.throttled(write(5), own(at, 0), 1)
    expect(key.takeSamples()?.throttledUnits).toEqual(new Array(8).fill(5))
  })

  it('counts what was offered from the first throttle on, or from one that was no evidence', () => {
    const first = open()
    first.throttled(write(20), own(1_000, 980), 1_000)
    expect(first.takeSamples()).toMatchObject({ offeredUnits: 20, acceptedUnits: 0 })
    const settled = open()
    settled.settling(own(1_000, 980), 1_000)
    settled.throttled(write(20), own(1_060, 1_020), 2_000)
    expect(settled.takeSamples()).toMatchObject({ offeredUnits: 60, acceptedUnits: 40 })
  })

  it('counts from 0 again if the sums do, after nothing was known of the key for a while', () => {
    const key = open()
    key.settling(own(9_000, 8_000), 0)
    key.throttled(write(20), own(60, 40), 1_000)
    expect(key.takeSamples()).toMatchObject({ offeredUnits: 60, acceptedUnits: 40 })
  })

  it('counts only the last half minute of a longer pause', () => {
    const key = open()
    key.settling(own(0, 0), 0)
    key.throttled(write(20), own(400, 200), 60_000)
    expect(key.takeSamples()).toMatchObject({ offeredUnits: 200, acceptedUnits: 100 })
    const short = open()
    short.settling(own(0, 0), 0)
    short.throttled(write(20), own(400, 200), 30_000)
    expect(short.takeSamples()).toMatchObject({ offeredUnits: 400, acceptedUnits: 200 })
  })
})
