import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { DEFAULT_CAPACITY, provisionedPartitions, warmPartitions } from './capacity-parameters.js'
import { Partition } from './partition.js'
import { TokenBucket } from './token-bucket.js'

const KEY = 'k' as EncodedKey
const FIRST = '' as EncodedKey
const partitionOf = (writeBurstSeconds = 1, source?: Partition, now = 0) =>
  new Partition(7, FIRST, DEFAULT_CAPACITY, writeBurstSeconds, now, source)

describe('a partition', () => {
  it('delivers its rates of reads and of writes apart', () => {
    const partition = partitionOf()
    expect(partition).toMatchObject({ id: 7, from: '', bytes: undefined, pagesRead: 0 })
    expect(partition.read.bucket.unitsPerSecond).toBe(3_000)
    expect(partition.write.bucket.unitsPerSecond).toBe(1_000)
    partition.take('write', KEY, 1_000, 0)
    expect(partition.hasTokens('write', 0)).toBe(false)
    expect(partition.hasTokens('read', 0)).toBe(true)
    expect(partition.hasTokens('write', 1)).toBe(true)
  })

  it('may save more of its writes than of its reads', () => {
    const partition = partitionOf(57)
    expect(partition.write.bucket.available(0)).toBe(57_000)
    expect(partition.read.bucket.available(0)).toBe(3_000)
  })

  it('that was split from another one continues with the units that it had saved', () => {
    const source = partitionOf(57)
    source.take('write', KEY, 27_000, 0)
    expect(partitionOf(57, source).write.bucket.available(0)).toBe(30_000)
    source.take('write', KEY, 40_000, 0)
    // And with those of one second at least.
    expect(partitionOf(57, source).write.bucket.available(0)).toBe(1_000)
  })

  it('is limited by its share of the throughput, too', () => {
    const partition = partitionOf()
    partition.write.share = new TokenBucket(10, 1, 0)
    partition.take('write', KEY, 10, 0)
    expect(partition.hasTokens('write', 0)).toBe(false)
    partition.take('write', KEY, 10, 0)
    expect(partition.hasTokens('write', 0)).toBe(false)
    expect(partition.freeAt('write', 0)).toBeCloseTo(1_000, 1)
    expect(partition.hasTokens('write', 1_100)).toBe(true)
    expect(partition.freeAt('read', 5)).toBe(5)
    expect(partition.hasTokens('write', 2_000)).toBe(true)
    partition.take('write', KEY, 3_000, 2_000)
    partition.write.share = undefined
    expect(partition.freeAt('write', 2_000)).toBeCloseTo(4_000, 1)
  })

  it('counts what was taken and what was throttled, and is hot because of its own limit alone', () => {
    const partition = partitionOf()
    partition.take('write', KEY, 5, 0)
    partition.take('write', KEY, 6, 0)
    partition.throttle('write', KEY, false, 0)
    partition.take('write', KEY, 1, 1_000)
    expect(partition.write).toMatchObject({ consumedUnits: 12, throttledRequests: 1 })
    expect(partition.write.heat.hotSeconds).toBe(0)
    partition.throttle('write', KEY, true, 1_000)
    partition.take('write', KEY, 1, 2_000)
    expect(partition.write.throttledRequests).toBe(2)
    expect(partition.write.heat.hotSeconds).toBe(1)
    expect(partition.read).toMatchObject({ consumedUnits: 0, throttledRequests: 0 })
  })

  it('adapts to its load and holds 10 GiB, as the service documents, unless it is told otherwise', () => {
    const [model, gibibytes] = ['adaptive', 10 * 2 ** 30]
    expect(DEFAULT_CAPACITY).toMatchObject({
      model,
      partitionBytes: gibibytes,
      itemCollectionBytes: gibibytes,
    })
  })

  it('is hot from nine tenths of its rate on', () => {
    const partition = partitionOf()
    partition.take('write', KEY, 899, 0)
    partition.take('write', KEY, 900, 1_000)
    expect(partition.write.heat.hotSeconds).toBe(0)
    partition.take('write', KEY, 1, 2_000)
    expect(partition.write.heat.hotSeconds).toBe(1)
  })
})

describe('the partitions that a throughput needs', () => {
  const provisioned = (readUnits: number, writeUnits: number) =>
    provisionedPartitions({ readUnits, writeUnits }, DEFAULT_CAPACITY)
  const warm = (readUnits: number, writeUnits: number) =>
    warmPartitions({ readUnits, writeUnits }, DEFAULT_CAPACITY)

  it('are those of its reads and its writes together if it is provisioned', () => {
    expect([provisioned(0, 0), provisioned(1_500, 500), provisioned(1_501, 500)]).toEqual([1, 1, 2])
    expect(provisioned(6_000, 3_000)).toBe(5)
  })

  it('are those of the larger need if it is served at once', () => {
    expect([warm(0, 0), warm(12_000, 4_000), warm(12_001, 1), warm(1, 4_001)]).toEqual([1, 4, 5, 5])
  })
})
