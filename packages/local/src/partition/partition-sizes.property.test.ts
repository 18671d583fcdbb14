import { VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeKey, HASH_BYTES } from '../keyspace/encoded-key.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { OrderedMap } from '../storage/ordered-map.js'
import { DEFAULT_CAPACITY } from './capacity-parameters.js'
import { MeasuredStorage } from './measured-storage.js'
import { PartitionMap, type SplitEvent } from './partition-map.js'

const LIMIT = 20_000

interface Step {
  readonly collection: number
  readonly sort: number
  /** 0 deletes the item. */
  readonly bytes: number
  /** Whether the partition is also split for another reason at this moment. */
  readonly isCut: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  collection: fc.integer({ min: 0, max: 30 }),
  sort: fc.integer({ min: 0, max: 40 }),
  bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })),
  isCut: fc.integer({ min: 0, max: 200 }).map((chance) => chance === 0),
})

class Bench {
  readonly clock = new VirtualClock(0)
  readonly store: MemoryStorage
  readonly storage: MeasuredStorage
  readonly events: SplitEvent[] = []
  readonly partitions: PartitionMap
  readonly items: OrderedMap
  readonly entries: OrderedMap

  constructor(wholeCollections: boolean, store = new MemoryStorage()) {
    this.store = store
    this.storage = new MeasuredStorage(store, this.clock)
    const onSplit = (event: SplitEvent) => this.events.push(event)
    this.partitions = new PartitionMap(2, DEFAULT_CAPACITY, 0, { wholeCollections, onSplit })
    this.storage.measure(['items', 'entries'], this.partitions, LIMIT)
    this.items = store.open('items')
    this.entries = store.open('entries')
  }

  write({ collection, sort, bytes, isCut }: Step, withEntry = false): void {
    const key = encodeKey([{ S: `c-${collection}` }], [{ N: String(sort) }])
    const changes = ['items', ...(withEntry ? ['entries'] : [])].map((keyspace) => ({
      keyspace,
      key,
      before: this.store.open(keyspace).latest(key),
      after: bytes === 0 ? undefined : { item: {}, bytes },
    }))
    void this.storage.write(changes)
    if (!isCut) return
    const prefix = key.slice(0, HASH_BYTES) as typeof key
    const border = this.partitions.wholeCollections ? prefix : key
    this.partitions.split(this.partitions.find(border), border, 'heat', 0)
  }

  /** The bytes that really lie in each partition. */
  counted(): number[] {
    return this.partitions.all.map((partition) => {
      const range = { from: partition.from, to: this.partitions.endOf(partition) }
      let bytes = 0
      for (const map of [this.items, this.entries])
        for (const [, stored] of map.range(range)) bytes += stored.bytes
      return bytes
    })
  }

  expectKnownBytesToBeTrue(): void {
    const counted = this.counted()
    for (const [index, { bytes }] of this.partitions.all.entries()) {
      if (bytes !== undefined) expect(bytes).toBe(counted[index])
    }
  }
}

describe('the sizes of partitions', () => {
  it('match the bytes in each partition, for all writes, deletes and splits', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 600 }), fc.boolean(), (steps, whole) => {
        const bench = new Bench(whole)
        for (const each of steps) {
          bench.write(each, whole)
          bench.expectKnownBytesToBeTrue()
        }
      }),
      { numRuns: 60 },
    )
  })

  it('stay near the limit, because a partition that outgrows it is split in the middle', () => {
    const bench = new Bench(false)
    for (let index = 0; index < 5000; index++) {
      bench.write({ collection: index % 25, sort: index, bytes: 100, isCut: false })
    }
    const counted = bench.counted()
    expect(Math.max(...counted)).toBeLessThan(LIMIT * 1.2)
    expect(Math.min(...counted)).toBeGreaterThan(LIMIT * 0.4)
    expect(bench.events.every((event) => event.type === 'split' && event.cause === 'size')).toBe(true)
    bench.expectKnownBytesToBeTrue()
  })

  it('allow a single collection to be split by its sort key', () => {
    const bench = new Bench(false)
    for (let index = 0; index < 1000; index++)
      bench.write({ collection: 1, sort: index, bytes: 100, isCut: false })
    expect(Math.max(...bench.counted())).toBeLessThan(LIMIT * 1.2)
  })

  it('keep collections whole where there are local indexes, and count their entries', () => {
    const bench = new Bench(true)
    for (let index = 0; index < 4000; index++) {
      bench.write({ collection: index % 40, sort: index, bytes: 50, isCut: false }, true)
    }
    for (const partition of bench.partitions.all.slice(1)) expect(partition.from).toHaveLength(HASH_BYTES)
    expect(bench.partitions.all.length).toBeGreaterThan(12)
    bench.expectKnownBytesToBeTrue()
  })

  it('leave a partition unsplit that is one collection of a table with local indexes, and report it once', () => {
    const bench = new Bench(true)
    for (let index = 0; index < 1000; index++) {
      bench.write({ collection: 1, sort: index, bytes: 50, isCut: false }, true)
    }
    const refusals = bench.events.filter(({ type }) => type === 'split-refused')
    expect(bench.events).toEqual(refusals)
    expect(refusals.length).toBeGreaterThan(3)
    expect(refusals.length).toBeLessThan(25)
  })

  it('are counted again, a few entries with each write, when the store has data already', () => {
    const before = new Bench(false)
    for (let index = 0; index < 190; index++)
      before.write({ collection: index % 9, sort: index, bytes: 100, isCut: false })
    const after = new Bench(false, before.store)
    expect(after.partitions.all.map(({ bytes }) => bytes)).toEqual([undefined, undefined])
    for (let index = 0; index < 400; index++)
      after.write({ collection: index % 9, sort: 500 + index, bytes: 100, isCut: false })
    expect(after.partitions.all.every(({ bytes }) => bytes !== undefined)).toBe(true)
    after.expectKnownBytesToBeTrue()
    expect(Math.max(...after.counted())).toBeLessThan(LIMIT * 1.2)
  })
})
