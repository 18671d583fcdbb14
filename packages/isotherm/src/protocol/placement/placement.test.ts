import type { KeyValue } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import type { ItemKey } from '../../keys/item-key.js'
import type { LogicalKey } from '../../keys/key.js'
import { calculated } from '../../writes/calculated.js'
import { fixedView, type ShardView } from '../states/shard-view.js'
import { jump } from './jump.js'
import { placeHash } from './place-hash.js'
import { placementOf, placesBesideHome } from './placement.js'

const LOGICAL = { S: 'k' } as LogicalKey
const keyOf = (sort: KeyValue | undefined): ItemKey => ({ logical: LOGICAL, sort })
const shardOf = (values: readonly KeyValue[], shards: number) => jump(placeHash(values), shards) + 1
const SORTS = Array.from({ length: 40 }, (_, at) => ({ S: `item-${at}` }))

describe('the place of an item', () => {
  it('is the first shard in a table without suffixes', () => {
    const placement = placementOf({ suffix: 'none', partitionKey: 'pk' })
    expect(placement.home(fixedView(9), keyOf({ S: 'x' }))).toBe(1)
    expect(placement.candidates(fixedView(9), keyOf({ S: 'x' }))).toEqual([1])
  })

  it('is calculated from the sort key, and from the partition key in a table without one', () => {
    const placement = placementOf({ suffix: calculated(), partitionKey: 'pk' })
    for (const sort of SORTS) expect(placement.home(fixedView(50), keyOf(sort))).toBe(shardOf([sort], 50))
    expect(placement.home(fixedView(50), keyOf(undefined))).toBe(shardOf([LOGICAL], 50))
  })

  it('is calculated from the attributes that are named, in their order', () => {
    const homeOf = (from: readonly string[], sort: KeyValue | undefined) =>
      placementOf({ suffix: calculated({ from }), partitionKey: 'pk' }).home(fixedView(50), keyOf(sort))
    for (const sort of SORTS) {
      expect(homeOf(['pk', 'sk'], sort)).toBe(shardOf([LOGICAL, sort], 50))
      expect(homeOf(['sk', 'pk'], sort)).toBe(shardOf([sort, LOGICAL], 50))
      expect(homeOf(['sk'], sort)).toBe(shardOf([sort], 50))
    }
    expect(homeOf(['pk'], undefined)).toBe(shardOf([LOGICAL], 50))
    expect(homeOf(['sk'], undefined)).toBe(shardOf([LOGICAL], 50))
  })
})

describe('the places beside the home of an item', () => {
  const placement = placementOf({ suffix: calculated(), partitionKey: 'pk' })

  it('are none where nothing moves', () => {
    for (const sort of SORTS) expect(placesBesideHome(placement, fixedView(5), keyOf(sort))).toEqual([])
  })

  it('are the other one of two while a count changes', () => {
    const view: ShardView = { ...fixedView(2), moves: { kind: 'change', from: 2, to: 30 } }
    for (const sort of SORTS) {
      const [old, next] = [shardOf([sort], 2), shardOf([sort], 30)]
      expect(placesBesideHome(placement, view, keyOf(sort))).toEqual(old === next ? [] : [next])
    }
  })

  it('are all other shards of a random key, the highest first', () => {
    const random = placementOf({ suffix: 'random', partitionKey: 'pk' })
    for (const sort of SORTS) {
      const home = shardOf([sort], 4)
      expect(placesBesideHome(random, fixedView(4), keyOf(sort))).toEqual(
        [4, 3, 2, 1].filter((shard) => shard !== home),
      )
    }
  })
})
