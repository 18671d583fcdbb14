import { describe, expect, it } from 'vitest'
import { encodeKey, encodePartition } from '../keyspace/encoded-key.js'
import { MemoryMap } from '../storage/memory-map.js'
import { CollectionTooLarge, ItemCollections } from './item-collections.js'

const RAIN = encodePartition([{ S: 'rain' }])
const itemKey = (forum: string, subject: string) => encodeKey([{ S: forum }], [{ S: subject }])

/** Collections of at most 2,000 bytes, and one that holds 1,500: 1,000 in the table, and 500 in a local index. */
function collections(): ItemCollections {
  const [items, entries] = [new MemoryMap(), new MemoryMap()]
  const stored = (bytes: number) => ({ item: {}, bytes })
  const change = { keyspace: 'any', before: undefined }
  items.apply({ ...change, key: itemKey('rain', 'a'), after: stored(600) })
  items.apply({ ...change, key: itemKey('rain', 'b'), after: stored(400) })
  items.apply({ ...change, key: itemKey('snow', 'a'), after: stored(1_900) })
  entries.apply({ ...change, key: itemKey('rain', '1'), after: stored(500) })
  return new ItemCollections([items, entries], 2_000)
}

describe('an item collection', () => {
  it('holds its items and their entries in local indexes', () => {
    expect(collections().bytes(RAIN)).toBe(1_500)
  })

  it('may grow to exactly its limit, and not by a byte more', () => {
    expect(() => collections().checkRoom(RAIN, 500)).not.toThrow()
    expect(() => collections().checkRoom(RAIN, 501)).toThrow(CollectionTooLarge)
  })

  it('may shrink, or keep its size, wherever it stands', () => {
    const full = collections()
    full.bytes(RAIN)
    full.grown(RAIN, 1_000)
    for (const growth of [0, -1]) expect(() => full.checkRoom(RAIN, growth)).not.toThrow()
    expect(() => full.checkRoom(RAIN, 1)).toThrow(CollectionTooLarge)
  })

  it('has the room that earlier writes have left', () => {
    const shared = collections()
    shared.checkRoom(RAIN, 400)
    shared.grown(RAIN, 400)
    expect(() => shared.checkRoom(RAIN, 100)).not.toThrow()
    expect(() => shared.checkRoom(RAIN, 101)).toThrow(CollectionTooLarge)
  })
})
