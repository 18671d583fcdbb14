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
    for (let at = 0; at < 8; at++) key.throttled(write(1), own(3 + at, 0), 2)
    expect(key.itemOf(itemHash(item))).toBe(item)
  })

  it('has the throttled units of each class in its reports, of those without any too', () => {
    const key = open()
    const classes = (units: Readonly<Record<string, number>>) => {
      const all = new Array<number>(8).fill(0)
      for (const [item, each] of Object.entries(units)) all[itemHash({ S: item })] = each
      return all
    }
    for (const item of ['a', 'a', 'a', 'order 17']) key.throttled(write(10, { S: item }), own(1, 0), 1)
    expect(key.takeSamples()?.throttledUnits).toEqual(classes({ a: 30, 'order 17': 10 }))
    key.throttled(write(20, { S: 'a' }), own(2, 0), 2)
    expect(key.takeSamples()?.throttledUnits).toEqual(classes({ a: 20 }))
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

  it.each([
    ['more was accepted than before', own(90, 10), own(60, 40)],
    ['more was offered than before', own(50, 50), own(60, 40)],
  ])('counts from 0 again although %s', (_what, before, after) => {
    const key = open()
    key.settling(before, 0)
    key.throttled(write(20), after, 1_000)
    expect(key.takeSamples()).toMatchObject({ offeredUnits: 60, acceptedUnits: 40 })
  })

  it.each([
    ['nothing was accepted', own(1_060, 980), { offeredUnits: 60, acceptedUnits: 0 }],
    ['nothing was offered', own(1_000, 990), { offeredUnits: 20, acceptedUnits: 10 }],
  ])('counts what came since although %s', (_what, after, reported) => {
    const key = open()
    key.settling(own(1_000, 980), 0)
    key.throttled(write(20), after, 1_000)
    expect(key.takeSamples()).toMatchObject(reported)
  })

  it('counts only the last half minute of a longer pause', () => {
    const key = open()
    key.settling(own(0, 0), 90_000)
    key.throttled(write(20), own(400, 200), 150_000)
    expect(key.takeSamples()).toMatchObject({ offeredUnits: 200, acceptedUnits: 100 })
    const short = open()
    short.settling(own(0, 0), 90_000)
    short.throttled(write(20), own(400, 200), 120_000)
    expect(short.takeSamples()).toMatchObject({ offeredUnits: 400, acceptedUnits: 200 })
  })

  it.each([
    { throttles: 4, offered: 6.68, accepted: 5.68 },
    { throttles: 7, offered: 5.13, accepted: 4.13 },
    // So many since the last report that they are enough by themselves.
    { throttles: 8, offered: 2, accepted: 1 },
  ])(
    'judges by its last eight throttled writes or so, if it has found fewer since its last report: $throttles',
    ({ throttles, offered, accepted }) => {
      const key = open()
      let [offeredSoFar, acceptedSoFar] = [0, 0]
      key.settling(own(0, 0), 0)
      const throttle = (times: number, offeredEach: number) => {
        for (let each = 0; each < times; each++) {
          offeredSoFar += offeredEach
          acceptedSoFar += offeredEach - 1
          key.throttled({ ...write(1), unitsPerSample: 1 }, own(offeredSoFar, acceptedSoFar), 1)
        }
        return key.takeSamples()
      }
      throttle(40, 10)
      const { offeredUnits = 0, acceptedUnits = 0 } = throttle(throttles, 2) ?? {}
      expect(offeredUnits / throttles).toBeCloseTo(offered, 2)
      expect(acceptedUnits / throttles).toBeCloseTo(accepted, 2)
    },
  )
})
