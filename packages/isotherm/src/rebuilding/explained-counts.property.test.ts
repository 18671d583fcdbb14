import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jump, placeHash } from '../protocol/index.js'
import { CountRanges, countRange } from './explained-counts.js'

const placeOf = (item: number) => (shards: number) => jump(placeHash([{ N: String(item) }]), shards) + 1
const counts = fc.integer({ min: 1, max: 60 })
const items = fc.uniqueArray(fc.nat(100_000), { minLength: 1, maxLength: 200 })

describe('the counts that explain where items are', () => {
  it('are those for which the item has its shard, and no others', () => {
    fc.assert(
      fc.property(fc.nat(), counts, (item, shards) => {
        const place = placeOf(item)
        const range = countRange(place, place(shards))
        expect(range).toBeDefined()
        for (let count = 1; count <= 200; count++) {
          const isIn = range !== undefined && count >= range.from && count <= range.to
          expect(place(count) === place(shards)).toBe(isIn)
        }
      }),
    )
  })

  it('are one where each item is at its place among one count', () => {
    fc.assert(
      fc.property(items, counts, counts, (stored, shards, initial) => {
        const ranges = new CountRanges()
        for (const item of stored) {
          const range = countRange(placeOf(item), placeOf(item)(shards))
          if (range !== undefined) ranges.add(range)
        }
        const explained = ranges.explained(initial)
        expect(explained.kind).toBe('settled')
        if (explained.kind !== 'settled') return
        for (const item of stored) expect(placeOf(item)(explained.shards)).toBe(placeOf(item)(shards))
      }),
    )
  })

  it('are two at most where a change was not complete', () => {
    fc.assert(
      fc.property(items, counts, counts, fc.nat(), (stored, one, other, seed) => {
        const ranges = new CountRanges()
        const placed = stored.map((item) => [item, (item + seed) % 3 === 0 ? one : other] as const)
        for (const [item, shards] of placed) {
          const range = countRange(placeOf(item), placeOf(item)(shards))
          if (range !== undefined) ranges.add(range)
        }
        const explained = ranges.explained(1)
        expect(explained.kind).not.toBe('unexplained')
        if (explained.kind === 'unexplained') return
        const found = explained.kind === 'settled' ? [explained.shards] : explained.counts
        for (const [item, shards] of placed) {
          expect(found.map((count) => placeOf(item)(count))).toContain(placeOf(item)(shards))
        }
      }),
    )
  })

  it('are none where an item is in a shard that it never has', () => {
    const item = Array.from({ length: 100 }, (_, at) => at).find((at) => placeOf(at)(2) === 1) ?? 0
    expect(countRange(placeOf(item), 2)).toBeUndefined()
  })

  it('are not two where items are at their places among three', () => {
    const ranges = new CountRanges()
    for (const range of [
      { from: 1, to: 2 },
      { from: 4, to: 5 },
      { from: 8, to: 9 },
    ])
      ranges.add(range)
    expect(ranges.explained(1)).toEqual({ kind: 'unexplained' })
  })
})
