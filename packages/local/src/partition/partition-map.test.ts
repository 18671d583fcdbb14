import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { encodeKey } from '../keyspace/encoded-key.js'
import { DEFAULT_CAPACITY } from './capacity-parameters.js'
import { PartitionMap, type SplitEvent } from './partition-map.js'

const sharesOf = (map: PartitionMap) => map.all.map(({ write }) => write.share?.unitsPerSecond)

describe('the partitions of a keyspace', () => {
  it('share divided throughput evenly, and a split halves the share of each side', () => {
    const map = new PartitionMap(4, DEFAULT_CAPACITY, 0)
    map.divide({ read: 400, write: 100 }, 300, 0)
    expect(sharesOf(map)).toEqual([25, 25, 25, 25])
    const [, second] = map.all
    if (second === undefined) throw new Error('There must be four.')
    map.split(second, `${second.from}\u0080` as typeof second.from, 'size', 0)
    expect(sharesOf(map)).toEqual([25, 12.5, 12.5, 25, 25])
  })

  it('pass the saved units of a share on to both sides, and no more', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    map.divide({ read: 10, write: 10 }, 300, 0)
    const [first] = map.all
    if (first === undefined) throw new Error('There must be one.')
    const before = first.write.share?.available(100_000) ?? 0
    expect(before).toBe(1010)
    map.split(first, encodeKey([{ S: 'middle' }], []), 'size', 100_000)
    const after = map.all.map(({ write }) => write.share?.available(100_000))
    expect(after).toEqual([505, 505])
  })

  it('have no shares once throughput is no longer divided', () => {
    const map = new PartitionMap(2, DEFAULT_CAPACITY, 0)
    map.divide({ read: 10, write: 10 }, 300, 0)
    map.divide(undefined, 300, 0)
    expect(map.all.flatMap(({ read, write }) => [read.share, write.share])).toEqual(Array(4).fill(undefined))
  })

  it('are split where the range of hashes is widest, until there are enough', () => {
    const events: SplitEvent[] = []
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0, { onSplit: (event) => events.push(event) })
    map.growTo(8, 5)
    expect(map.all.map(({ from }) => from.charCodeAt(0) || 0)).toEqual([0, 32, 64, 96, 128, 160, 192, 224])
    expect(events).toHaveLength(7)
    expect(events[0]).toMatchObject({ type: 'split', cause: 'throughput', at: 5 })
  })

  it('are split into more than requested when they would be uneven otherwise', () => {
    const map = new PartitionMap(3, DEFAULT_CAPACITY, 0)
    map.growTo(3, 0)
    expect(map.all).toHaveLength(3)
    map.growTo(4, 0)
    expect(map.all).toHaveLength(6)
  })

  it('are not split at their first key', () => {
    const map = new PartitionMap(4, DEFAULT_CAPACITY, 0)
    const [, second] = map.all
    if (second === undefined) throw new Error('There must be four.')
    expect(map.split(second, second.from, 'heat', 0)).toBeUndefined()
    expect(map.all).toHaveLength(4)
  })

  it('are split only inside their range, by the keys requested since the last split', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    const [whole] = map.all
    if (whole === undefined) throw new Error('There must be a partition.')
    const border = (byte: number) => String.fromCharCode(byte).repeat(8) as EncodedKey
    expect(map.split(whole, border(0x80), 'heat', 0)?.from).toBe(border(0x80))
    expect(map.split(whole, border(0xc0), 'heat', 0)).toBeUndefined()
    expect(map.split(whole, border(0x80), 'heat', 0)).toBeUndefined()
    expect(map.all.map(({ from }) => from)).toEqual(['', border(0x80)])
  })

  it('are found by key, before and after a split', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    const [whole] = map.all
    if (whole === undefined) throw new Error('There must be a partition.')
    const key = String.fromCharCode(0xc0).repeat(8) as EncodedKey
    expect(map.find(key)).toBe(whole)
    const right = map.split(whole, String.fromCharCode(0x80).repeat(8) as EncodedKey, 'heat', 0)
    expect(map.find(key)).toBe(right)
  })

  const border = (byte: number) => String.fromCharCode(byte).repeat(8) as EncodedKey
  const WHOLE = '' as EncodedKey

  it('may begin at given borders, and end where the next one begins', () => {
    const map = new PartitionMap([WHOLE, border(0x40), border(0x80)], DEFAULT_CAPACITY, 0)
    expect(map.all.map(({ id, from }) => [id, from])).toEqual([
      [0, WHOLE],
      [1, border(0x40)],
      [2, border(0x80)],
    ])
    expect(map.all.map((each) => map.endOf(each))).toEqual([border(0x40), border(0x80), undefined])
  })

  it('are found for each key from their first one on', () => {
    const map = new PartitionMap([WHOLE, border(0x40), border(0x80)], DEFAULT_CAPACITY, 0)
    const found = (key: EncodedKey) => map.find(key).id
    expect([WHOLE, border(0x3f), border(0x40), border(0x7f), border(0x80), border(0xff)].map(found)).toEqual([
      0, 0, 1, 1, 2, 2,
    ])
  })

  it('that overlap a range are those from its first key to before its end', () => {
    const map = new PartitionMap([WHOLE, border(0x40), border(0x80)], DEFAULT_CAPACITY, 0)
    const ids = (from: EncodedKey, to?: EncodedKey) => map.touching({ from, to }).map(({ id }) => id)
    expect(ids(WHOLE)).toEqual([0, 1, 2])
    expect(ids(border(0x41))).toEqual([1, 2])
    expect(ids(WHOLE, border(0x40))).toEqual([0])
    expect(ids(WHOLE, border(0x41))).toEqual([0, 1])
    expect(ids(border(0x81), border(0x90))).toEqual([2])
    // A query that can match nothing is still charged where it looks.
    expect(ids(border(0x40), border(0x40))).toEqual([1])
  })

  it('are split evenly although one begins inside the items of a key', () => {
    const map = new PartitionMap([WHOLE, `${border(0x80)}item` as EncodedKey], DEFAULT_CAPACITY, 0)
    map.growTo(2, 0)
    expect(map.all.map(({ from }) => from.charCodeAt(0) || 0)).toEqual([0, 0x40, 0x80])
  })

  it('keep shares of the same throughput, and divide another one evenly', () => {
    const kept = { read: [10, 20, 30], write: [1, 2, 3] }
    const map = new PartitionMap(3, DEFAULT_CAPACITY, 0)
    expect(map.shares).toBeUndefined()
    map.divide({ read: 60, write: 6 }, 300, 0, kept)
    expect(map.shares).toEqual(kept)
    map.divide({ read: 90, write: 6 }, 300, 0, kept)
    expect(map.shares).toEqual({ read: [30, 30, 30], write: [1, 2, 3] })
    map.divide({ read: 60, write: 6 }, 300, 0, { read: [30, 30], write: [3, 3] })
    expect(map.shares).toEqual({ read: [20, 20, 20], write: [2, 2, 2] })
    // A share that was halved and divided by three is never exact.
    map.divide({ read: 60, write: 6 }, 300, 0, { read: [10, 20, 30.00001], write: [1, 2, 3.1] })
    expect(map.shares).toEqual({ read: [10, 20, 30.00001], write: [2, 2, 2] })
  })

  it('begin a new share with the units of one second, and keep what an old one has saved', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    const saved = (now: number) => map.all[0]?.write.share?.available(now)
    map.divide({ read: 10, write: 10 }, 300, 0)
    expect(saved(0)).toBe(10)
    map.divide({ read: 20, write: 20 }, 300, 100_000)
    expect(saved(100_000)).toBe(1_010)
    expect(saved(101_000)).toBe(1_030)
  })

  it('have a saved write rate that tables and indexes choose', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0, { writeBurstSeconds: 57 })
    expect(map.all[0]?.write.bucket.available(0)).toBe(57_000)
    expect(new PartitionMap(1, DEFAULT_CAPACITY, 0).all[0]?.write.bucket.available(0)).toBe(1_000)
  })

  it('know the bytes of both sides after a split only if there were none', () => {
    const map = new PartitionMap(1, DEFAULT_CAPACITY, 0)
    const [whole] = map.all
    if (whole === undefined) throw new Error('There must be a partition.')
    whole.bytes = 0
    map.split(whole, border(0x80), 'size', 0)
    expect(map.all.map(({ bytes }) => bytes)).toEqual([0, 0])
    whole.bytes = 7
    map.split(whole, border(0x40), 'size', 0)
    expect(map.all.map(({ bytes }) => bytes)).toEqual([undefined, undefined, 0])
  })

  describe('that are hot', () => {
    const parameters = { ...DEFAULT_CAPACITY, heatSeconds: 2 }

    /** A partition whose writes were at their limit for so many seconds. */
    function hot(seconds: number, keys: readonly EncodedKey[], options = {}) {
      const events: SplitEvent[] = []
      const map = new PartitionMap(1, parameters, 0, { onSplit: (event) => events.push(event), ...options })
      const [whole] = map.all
      if (whole === undefined) throw new Error('There must be a partition.')
      for (let second = 0; second < seconds; second++) {
        for (const key of keys) whole.take('write', key, 1_000, second * 1_000)
      }
      whole.take('write', keys[0] ?? WHOLE, 0, seconds * 1_000)
      return { map, whole, events }
    }

    it('are split after as many hot seconds as it takes, and have to become hot again', () => {
      const { map, whole, events } = hot(2, [border(0x40), border(0x80)])
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toEqual([
        { type: 'split', cause: 'heat', partition: 0, into: 1, border: border(0x80), at: 2_000 },
      ])
      expect(whole.write.heat.hotSeconds).toBe(0)
    })

    it('are not split before, nor for the other kind of access', () => {
      const { map, whole, events } = hot(1, [border(0x40), border(0x80)])
      map.considerSplit(whole, 'write', 1_000)
      const longer = hot(2, [border(0x40), border(0x80)])
      longer.map.considerSplit(longer.whole, 'read', 2_000)
      expect([...events, ...longer.events]).toEqual([])
    })

    it('are not split where throughput is divided', () => {
      const { map, whole, events } = hot(2, [border(0x40), border(0x80)])
      map.divide({ read: 1, write: 1 }, 1, 2_000)
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toEqual([])
    })

    it('are not split because of one item, which is told with the reason', () => {
      const { map, whole, events } = hot(2, [border(0x40)])
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toEqual([{ type: 'split-refused', partition: 0, because: 'one-hot-item', at: 2_000 }])
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toHaveLength(1)
    })

    it('may be split between the items of a key', () => {
      const keys = [`${border(0x40)}a`, `${border(0x40)}b`] as EncodedKey[]
      const { map, whole, events } = hot(2, keys)
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toMatchObject([{ type: 'split', border: keys[1] }])
    })

    it('keep the items of a key together where there are local indexes', () => {
      const keys = [`${border(0x40)}a`, `${border(0x40)}b`] as EncodedKey[]
      const { map, whole, events } = hot(2, keys, { wholeCollections: true })
      expect(map.wholeCollections).toBe(true)
      map.considerSplit(whole, 'write', 2_000)
      expect(events).toMatchObject([{ because: 'one-collection-with-local-indexes' }])
    })
  })
})
