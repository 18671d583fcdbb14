import { describe, expect, it } from 'vitest'
import type { ItemKey } from '../../keys/item-key.js'
import type { OwnPlace } from '../../options/sharded-table.js'
import { fixedView } from '../states/shard-view.js'
import { placementOf } from './placement.js'

const key = { logical: { S: 'Campaign#101' }, sort: { N: '7' } } as unknown as ItemKey

describe('the placement function of an application', () => {
  const calls: unknown[] = []
  const ownPlace: OwnPlace = (...given) => {
    calls.push(given)
    return 3
  }
  const suffix = { kind: 'calculated', from: undefined, ownPlace } as const
  const placement = placementOf({ suffix, partitionKey: 'campaign' })

  it('determines the only shard of an item, from its key and the count', () => {
    expect(placement.candidates(fixedView(10), key)).toEqual([3])
    expect(placement.home(fixedView(12), key)).toBe(3)
    expect(calls).toEqual([
      [key.logical, key.sort, 10],
      [key.logical, key.sort, 12],
    ])
  })
})
