import { describe, expect, it } from 'vitest'
import { PlaceCopyFilter } from './copy-filter.js'
import type { MergeOrder, PlacedItem } from './position.js'

interface Copy {
  readonly name: string
  readonly at: number
  readonly heldBy: number
  /** Its shard in the merged order, if that is not the one that holds it. */
  readonly shard?: number
  readonly stage?: number
  readonly origins?: readonly number[]
}

const itemOf = ({ name, at, heldBy, shard = heldBy, stage = 0, origins = [] }: Copy): PlacedItem => ({
  item: { name: { S: name } },
  bytes: 10,
  sort: { N: String(at) },
  rank: at,
  shard,
  stage,
  heldBy,
  origins,
})

function kept(copies: readonly Copy[], order: Partial<MergeOrder> = {}) {
  const filter = new PlaceCopyFilter({ direction: 1, parted: true, ...order })
  return filter.without(copies.map(itemOf)).map(({ item }) => item.name?.S)
}

describe('of the copies of an item that moved while it was read,', () => {
  it('the one in the target counts, whichever comes first', () => {
    const source: Copy = { name: 'source', at: 1, heldBy: 3 }
    const target: Copy = { name: 'target', at: 1, heldBy: 1, shard: 3, stage: 1, origins: [3] }
    expect(kept([source, target])).toEqual(['target'])
    expect(kept([target, source])).toEqual(['target'])
  })

  it('the later one counts where a sort key has one item', () => {
    const source: Copy = { name: 'source', at: 1, heldBy: 1 }
    const target: Copy = { name: 'target', at: 1, heldBy: 2, stage: 1 }
    expect(kept([source, target], { parted: false })).toEqual(['target'])
    expect(kept([target, source], { parted: false })).toEqual(['target'])
  })

  it('the last one counts if it was moved again, in whatever order they come', () => {
    const before: Copy = { name: 'before', at: 1, heldBy: 4, stage: 1, origins: [6] }
    const again: Copy = { name: 'again', at: 1, heldBy: 2, shard: 3, stage: 2, origins: [4, 6] }
    expect(kept([again, before])).toEqual(['again'])
    expect(kept([before, again])).toEqual(['again'])
  })

  it('one counts of two in the same stage', () => {
    const copy: Copy = { name: 'first', at: 1, heldBy: 1, stage: 1 }
    expect(kept([copy, { ...copy, name: 'second' }])).toEqual(['first'])
  })

  it('one is found before items of other shards with the same sort key', () => {
    const source: Copy = { name: 'source', at: 1, heldBy: 3 }
    const other: Copy = { name: 'other', at: 1, heldBy: 4 }
    const target: Copy = { name: 'target', at: 1, heldBy: 1, shard: 5, stage: 1, origins: [3] }
    expect(kept([source, other, target])).toEqual(['other', 'target'])
  })
})

describe('items that are no copies', () => {
  it('are kept in their order', () => {
    const copies = [
      { name: 'a', at: 1, heldBy: 1 },
      { name: 'b', at: 1, heldBy: 2 },
      { name: 'c', at: 1, heldBy: 3 },
      { name: 'd', at: 2, heldBy: 1 },
    ]
    expect(kept(copies)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are those with another sort key, even from the shard that an item has left', () => {
    const copies = [
      { name: 'a', at: 1, heldBy: 3 },
      { name: 'b', at: 2, heldBy: 1, stage: 1, origins: [3] },
    ]
    expect(kept(copies)).toEqual(['a', 'b'])
  })

  it('are those of other shards than the one that an item has left', () => {
    const copies = [
      { name: 'a', at: 1, heldBy: 2 },
      { name: 'b', at: 1, heldBy: 1, shard: 4, stage: 1, origins: [4] },
    ]
    expect(kept(copies)).toEqual(['a', 'b'])
  })
})
