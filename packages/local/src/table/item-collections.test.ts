import { describe, expect, it } from 'vitest'
import { type EncodedKey, encodeKey, encodePartition } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import { DamagedStorage } from '../storage/lmdb/damaged-storage.fixture.js'
import { MemoryMap } from '../storage/memory-map.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import { CollectionTooLarge, ItemCollections } from './item-collections.js'

const RAIN = encodePartition([{ S: 'rain' }])
const itemKey = (forum: string, subject: string) => encodeKey([{ S: forum }], [{ S: subject }])
const stored = (bytes: number) => ({ item: {}, bytes })
const inTable = (subject: string, before: number | undefined, after: number | undefined): Change => ({
  keyspace: 'table',
  key: itemKey('rain', subject),
  before: before === undefined ? undefined : stored(before),
  after: after === undefined ? undefined : stored(after),
})

/** A map that notes how many entries are read from it. */
class ReadMap extends MemoryMap {
  read = 0
  readBytes = 0

  override *range(range: KeyRange): Iterable<readonly [EncodedKey, StoredItem]> {
    for (const entry of super.range(range)) {
      this.read++
      this.readBytes += entry[1].bytes
      yield entry
    }
  }
}

/** Collections of at most 2,000 bytes, and one that holds 1,500: 1,000 in the table, and 500 in a local index. */
function collections(): ItemCollections {
  const [items, entries] = [new MemoryMap(), new MemoryMap()]
  const change = { keyspace: 'any', before: undefined }
  items.apply({ ...change, key: itemKey('rain', 'a'), after: stored(600) })
  items.apply({ ...change, key: itemKey('rain', 'b'), after: stored(400) })
  items.apply({ ...change, key: itemKey('snow', 'a'), after: stored(1_900) })
  entries.apply({ ...change, key: itemKey('rain', '1'), after: stored(500) })
  const places = [
    { keyspace: 'table', items },
    { keyspace: 'index', items: entries },
  ]
  return new ItemCollections(places, 2_000)
}

describe('an item collection', () => {
  it('holds its items and their entries in local indexes', () => {
    expect(collections().estimate(RAIN)).toEqual({ least: 1_500, most: 1_500 })
  })

  it('grows by the changes of its items and of their entries in local indexes', () => {
    const key = itemKey('rain', '1')
    const ofIndex = { keyspace: 'index', key, before: stored(500), after: undefined }
    const ofGlobalIndex = { keyspace: 'global', key, before: undefined, after: stored(7) }
    expect(collections().growth([inTable('a', 600, 900), ofIndex, ofGlobalIndex])).toBe(-200)
  })

  it('may grow to exactly its limit, and not by a byte more', () => {
    expect(() => collections().checkRoom(RAIN, 500)).not.toThrow()
    expect(() => collections().checkRoom(RAIN, 501)).toThrow(CollectionTooLarge)
  })

  it('may shrink, or keep its size, wherever it stands', () => {
    const full = collections()
    full.estimate(RAIN)
    full.written(RAIN, [inTable('c', undefined, 1_000)])
    for (const growth of [0, -1]) expect(() => full.checkRoom(RAIN, growth)).not.toThrow()
    expect(() => full.checkRoom(RAIN, 1)).toThrow(CollectionTooLarge)
  })

  it('has the room that earlier writes have left', () => {
    const shared = collections()
    shared.checkRoom(RAIN, 400)
    shared.written(RAIN, [inTable('c', undefined, 400)])
    expect(() => shared.checkRoom(RAIN, 100)).not.toThrow()
    expect(() => shared.checkRoom(RAIN, 101)).toThrow(CollectionTooLarge)
  })
})

describe('a large item collection of unknown size', () => {
  const subjectOf = (number: number) => String(number).padStart(6, '0')

  function large(items: number, bytes: number, limit: number) {
    const map = new ReadMap()
    for (let number = 0; number < items; number++) map.apply(inTable(subjectOf(number), undefined, bytes))
    return { map, all: new ItemCollections([{ keyspace: 'table', items: map }], limit) }
  }

  it('is not counted by writes that fit whatever its size is', () => {
    const { map, all } = large(10_000, 100, 2_000_000)
    for (let write = 0; write < 50; write++) all.checkRoom(RAIN, 100)
    expect(map.read).toBeLessThan(100)
  })

  it.each([
    { items: 10_000, bytes: 100 },
    { items: 200, bytes: 400_000 },
  ])('is counted over many writes: $items of $bytes bytes', ({ items, bytes }) => {
    const limit = items * bytes + 1_000
    const { map, all } = large(items, bytes, limit)
    map.apply({ keyspace: 'table', key: itemKey('snow', 'a'), before: undefined, after: stored(5_000) })
    for (let isCounted = false, writes = 0; !isCounted; writes++) {
      expect(writes).toBeLessThan(items)
      const [before, beforeBytes] = [map.read, map.readBytes]
      all.checkRoom(RAIN, 1)
      expect(map.read - before).toBeLessThanOrEqual(65)
      expect(map.readBytes - beforeBytes).toBeLessThanOrEqual(256 * 1024 + 2 * bytes)
      const { least, most } = all.estimate(RAIN)
      expect(least).toBeLessThanOrEqual(items * bytes)
      expect(most).toBeGreaterThanOrEqual(items * bytes)
      isCounted = least === most
    }
    expect(() => all.checkRoom(RAIN, 1_000)).not.toThrow()
    expect(() => all.checkRoom(RAIN, 1_001)).toThrow(CollectionTooLarge)
  })

  it('accepts writes if a part of it is damaged, and does not count that part', () => {
    const storage = new DamagedStorage()
    for (const subject of ['a', 'b', 'c']) storage.write([inTable(subject, undefined, 500)])
    storage.intact = 1
    const all = new ItemCollections([{ keyspace: 'table', items: storage.open('table') }], 1_600)
    expect(() => all.checkRoom(RAIN, 1_100)).not.toThrow()
    expect(() => all.checkRoom(RAIN, 1_101)).toThrow(CollectionTooLarge)
  })

  it('is counted rightly while items before and behind the counted ones are written', () => {
    const { map, all } = large(1_000, 100, 1)
    let size = 100_000
    const write = (subject: string, before: number | undefined, after: number | undefined) => {
      const change = inTable(subject, before, after)
      all.written(RAIN, [change])
      map.apply(change)
      size += (after ?? 0) - (before ?? 0)
    }
    expect(all.estimate(RAIN).least).toBe(6_400)
    write(subjectOf(0), 100, 5)
    write(subjectOf(999), 100, 700)
    write(subjectOf(998), 100, undefined)
    write(`${subjectOf(3)}b`, undefined, 11)
    write(`${subjectOf(900)}b`, undefined, 13)
    write('x', undefined, 17)
    let estimate = all.estimate(RAIN)
    while (estimate.least < estimate.most) estimate = all.estimate(RAIN)
    expect(estimate.least).toBe(size)
  })
})
