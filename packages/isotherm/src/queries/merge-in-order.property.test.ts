import type { KeyValue } from '@isotherm/semantics'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { mergeInOrder } from './merge-in-order.js'
import { comparePositions, countUpTo, type MergeOrder, type PlacedItem } from './position.js'
import { sortRank } from './sort-rank.js'

const numRuns = inject('trials') === 'many' ? 5_000 : 500

/** Few values, so that many are equal. Some numbers differ only where doubles do not. */
const numbers = fc.constantFrom('-10', '-9', '0', '0.5', '9', '10', '9007199254740992', '9007199254740993')
const texts = fc.constantFrom('2026-01-01T09:00:00', '2026-01-01T10:00:00', 'a', '\u{ffff}', '\u{10000}')
const keys = fc.oneof(
  fc.constant(fc.constant(undefined)),
  fc.constant(numbers.map((N): KeyValue => ({ N }))),
  fc.constant(texts.map((S): KeyValue => ({ S }))),
  fc.constant(fc.uint8Array({ maxLength: 2 }).map((B): KeyValue => ({ B }))),
)
const orders: fc.Arbitrary<MergeOrder> = fc.record({
  direction: fc.constantFrom(1, -1),
  parted: fc.boolean(),
})

let placed = 0

function itemOf(sort: KeyValue | undefined, shard: number): PlacedItem {
  const item = { number: { N: String(placed++) } }
  return { item, bytes: 1, sort, rank: sortRank(sort), shard, stage: 0, heldBy: shard, origins: [] }
}

/** The items of several shards, each in order, and that order. */
const shards = fc
  .tuple(
    orders,
    keys.chain((key) => fc.array(fc.array(key, { maxLength: 8 }), { maxLength: 9 })),
  )
  .map(([order, sorts]) => {
    const parts = sorts.map((each, index) =>
      each.map((sort) => itemOf(sort, index + 1)).sort((a, b) => comparePositions(a, b, order)),
    )
    return { order, parts }
  })

it('merging gives what sorting all items gives, with equal ones in the order of their shards', () => {
  fc.assert(
    fc.property(shards, ({ order, parts }) => {
      const sorted = parts.flat().sort((a, b) => comparePositions(a, b, order))
      const merged = mergeInOrder(parts, order)
      expect(merged).toHaveLength(sorted.length)
      expect(merged.every((item, index) => item === sorted[index])).toBe(true)
    }),
    { numRuns },
  )
})

it('the items up to a position are as many as a look at each of them finds', () => {
  fc.assert(
    fc.property(shards, fc.nat(), ({ order, parts }, drawn) => {
      const all = parts.flat()
      const place = all[drawn % Math.max(1, all.length)]
      if (place === undefined) return
      for (const part of parts) {
        const before = part.filter((item) => comparePositions(item, place, order) <= 0)
        expect(countUpTo(part, place, order)).toBe(before.length)
      }
    }),
    { numRuns },
  )
})

it.each([
  [1, true],
  [1, false],
  [-1, true],
  [-1, false],
] as const)(
  'equal sort keys stay in the order of their shards: direction %s, parted %s',
  (direction, parted) => {
    const sorts = direction === 1 ? ['9', '10'] : ['10', '9']
    const parts = [1, 2, 3].map((shard) => sorts.map((N) => itemOf({ N }, shard)))
    const merged = mergeInOrder(parts, { direction, parted })
    expect(merged.map(({ shard }) => shard)).toEqual([1, 2, 3, 1, 2, 3])
  },
)
