import type { KeyValue } from '@isotherm/semantics'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemKey } from '../../keys/item-key.js'
import type { LogicalKey } from '../../keys/key.js'
import { calculated } from '../../writes/calculated.js'
import { fixedView } from '../states/shard-view.js'
import { jump } from './jump.js'
import { placeHash } from './place-hash.js'
import { placementOf } from './placement.js'

const hashes = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const counts = fc.integer({ min: 1, max: 1_000 })
const sorts = fc.oneof(
  fc.string().map((S) => ({ S })),
  fc.integer().map((number) => ({ N: String(number) })),
  fc.uint8Array({ minLength: 1 }).map((B) => ({ B })),
) as fc.Arbitrary<KeyValue>
const keyOf = (sort: KeyValue, logical = 'k'): ItemKey => ({ logical: { S: logical } as LogicalKey, sort })
const byKey = placementOf({ suffix: calculated(), partitionKey: 'pk' })

describe('a calculated place', () => {
  it('is one of the shards', () => {
    fc.assert(
      fc.property(hashes, counts, (hash, count) => {
        const bucket = jump(hash, count)
        expect(Number.isInteger(bucket) && bucket >= 0 && bucket < count).toBe(true)
      }),
    )
  })

  it('stays, or becomes the new shard, when there is one shard more', () => {
    fc.assert(
      fc.property(hashes, counts, (hash, count) => {
        expect([jump(hash, count), count]).toContain(jump(hash, count + 1))
      }),
    )
  })

  it('spreads a thousand sort keys that differ by their last digit evenly', () => {
    const shards = 10
    const counted = new Array(shards).fill(0)
    for (let at = 0; at < 10_000; at++) {
      const [shard = 0] = byKey.candidates(fixedView(shards), keyOf({ N: String(1_700_000_000_000 + at) }))
      counted[shard - 1] += 1
    }
    // Four standard deviations of a binomial distribution around 1,000.
    for (const count of counted) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })

  it('never changes: what is stored has to be found by every version', () => {
    expect(placeHash([{ S: 'order-1' }])).toBe(12737540600758171368n)
    expect(placeHash([{ N: '1700000000000' }, { B: new Uint8Array([0, 255]) }])).toBe(9991406140734386684n)
  })

  it('tells values of two types apart, and where one value ends and the next begins', () => {
    const places = [[{ S: '1' }], [{ N: '1' }], [{ S: 'ab' }, { S: 'c' }], [{ S: 'a' }, { S: 'bc' }]]
    expect(new Set(places.map((values) => placeHash(values as KeyValue[]))).size).toBe(4)
  })

  it('is the old one, then the new one, while a count changes, and one where both are the same', () => {
    fc.assert(
      fc.property(sorts, counts, counts, (sort, from, to) => {
        const key = keyOf(sort)
        const old = byKey.home(fixedView(from), key)
        const next = byKey.home(fixedView(to), key)
        for (const phase of ['announced', 'moved'] as const) {
          const view = {
            shards: phase === 'moved' ? to : from,
            readable: Math.max(from, to),
            moves: { kind: 'change', from, to },
            validUntil: 0,
          } as const
          expect(byKey.candidates(view, key)).toEqual(old === next ? [old] : [old, next])
          expect(byKey.home(view, key)).toBe(phase === 'moved' ? next : old)
        }
      }),
    )
  })

  it('can depend on the partition key too', () => {
    const both = placementOf({ suffix: calculated({ from: ['pk', 'sk'] }), partitionKey: 'pk' })
    const homes = Array.from({ length: 50 }, (_, index) =>
      both.home(fixedView(100), keyOf({ S: 'x' }, `k${index}`)),
    )
    expect(new Set(homes).size).toBeGreaterThan(20)
  })
})

describe('a random place', () => {
  it('is any shard that was ever written, retired ones first', () => {
    const random = placementOf({ suffix: 'random', partitionKey: 'pk' })
    const view = { ...fixedView(2), readable: 4 }
    expect(random.candidates(view, keyOf({ S: 'x' }))).toEqual([4, 3, 2, 1])
    expect([1, 2]).toContain(random.home(view, keyOf({ S: 'x' })))
  })
})
