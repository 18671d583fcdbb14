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
    expect(sharesOf(map)).toEqual([undefined, undefined])
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
})
