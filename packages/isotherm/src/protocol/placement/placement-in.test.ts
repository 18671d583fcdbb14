import { describe, expect, it } from 'vitest'
import type { ItemKey } from '../../keys/item-key.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { fixedView } from '../states/shard-view.js'
import { placementIn } from './placement-in.js'

const KEY: ItemKey = { logical: { S: 'k' } as LogicalKey, sort: { S: 'x' } }

const tableWith = (suffix: ShardedTable['suffix']) => ({
  options: { suffix, partitionKey: 'pk' } as ShardedTable,
})

describe('the placement of a table', () => {
  it('is that of its options, and made once for them', () => {
    const [none, random] = [tableWith('none'), tableWith('random')]
    expect(placementIn(none).candidates(fixedView(3), KEY)).toEqual([1])
    expect(placementIn(random).candidates(fixedView(3), KEY)).toEqual([3, 2, 1])
    expect(placementIn(none)).toBe(placementIn(none))
    expect(placementIn(random)).not.toBe(placementIn(none))
  })
})
