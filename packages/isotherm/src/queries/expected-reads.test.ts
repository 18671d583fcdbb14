import { describe, expect, it } from 'vitest'
import { expectedReads } from './expected-reads.js'
import type { PlacedItem } from './position.js'
import type { ShardStream } from './shard-stream.js'

const ORDER = { direction: 1, parted: true } as const

interface Read {
  /** The sort key up to which it was read. `undefined` for a shard that was not read. */
  readonly upTo: number | undefined
  readonly given: number
  /** The sort keys of its items that are not in the page yet. */
  readonly buffered?: readonly number[]
  readonly isFinished?: boolean
}

const positionOf = (sort: number, shard: number) => ({ sort: { N: String(sort) }, shard })

function streamsOf(reads: readonly Read[]): readonly ShardStream[] {
  return reads.map(({ upTo, given, buffered = [], isFinished = false }, index) => {
    const items = buffered.map((sort) => positionOf(sort, index + 1) as PlacedItem)
    const frontier = upTo === undefined ? undefined : positionOf(upTo, index + 1)
    return { frontier, given, buffered: items, isFinished } as unknown as ShardStream
  })
}

/** The numbers of the shards to read, and of the items expected from each. */
function expected(reads: readonly Read[], taken: number, total: number, direction: 1 | -1 = 1) {
  const streams = streamsOf(reads)
  const order = { ...ORDER, direction }
  return expectedReads(streams, order, taken, total).map(({ stream, items }) => [
    streams.indexOf(stream) + 1,
    Number(items.toFixed(2)),
  ])
}

const shardsOf = (...args: Parameters<typeof expected>) => expected(...args).map(([shard]) => shard)

describe('the shards that the rest of a page needs', () => {
  it('include the one that is furthest behind, even if the page is full without it', () => {
    const reads = [
      { upTo: 50, given: 5, buffered: [11, 12, 13, 14, 15] },
      { upTo: 10, given: 5 },
    ]
    expect(shardsOf(reads, 20, 20)).toEqual([2])
  })

  it('begin with the one that is furthest behind', () => {
    const reads = [
      { upTo: 12, given: 4, buffered: [11, 12] },
      { upTo: 10, given: 4 },
    ]
    expect(shardsOf(reads, 6, 100)).toEqual([2, 1])
    expect(shardsOf(reads, 6, 100, -1)).toEqual([1, 2])
  })

  it('are none that were read to their end, or not at all', () => {
    const reads = [
      { upTo: 1, given: 4, isFinished: true },
      { upTo: undefined, given: 0 },
      { upTo: 10, given: 4 },
    ]
    expect(shardsOf(reads, 8, 100)).toEqual([3])
  })

  it('are all of them if each has returned as much', () => {
    const reads = [
      { upTo: 10, given: 10 },
      { upTo: 10, given: 10 },
      { upTo: 10, given: 10 },
    ]
    // Each has returned a third, and 60 are missing.
    expect(expected(reads, 30, 90)).toEqual([
      [1, 20],
      [2, 20],
      [3, 20],
    ])
  })

  it('are not those that were read beyond the items that are known to fill the page', () => {
    const buffered = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    const reads = [
      { upTo: 10, given: 2 },
      { upTo: 20, given: 18, buffered },
    ]
    expect(shardsOf(reads, 10, 20)).toEqual([1])
    expect(shardsOf(reads, 10, 40)).toEqual([1, 2])
  })

  it('are not those that were read beyond the end that the others are expected to reach', () => {
    const reads = [
      { upTo: 10, given: 10 },
      { upTo: 20, given: 10, buffered: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20] },
    ]
    // All 10 items in the page are of shard 1, and it is weighed as if it had returned 4 more of 8: 14 of 18.
    // If it continues in this way, it returns 35 until shard 2 has returned its 10.
    expect(expected(reads, 10, 55)).toEqual([[1, 35]])
    expect(shardsOf(reads, 10, 56)).toEqual([1, 2])
  })

  it('are judged by the items of all shards in their order, whichever shard was listed first', () => {
    const reads = [
      { upTo: 20, given: 5, buffered: [19] },
      { upTo: 18, given: 5, buffered: [12, 13] },
      { upTo: 10, given: 5 },
    ]
    // With 12 and 13, the page is full before 18.
    expect(shardsOf(reads, 10, 12)).toEqual([3])
    expect(shardsOf(reads, 10, 15)).toEqual([3, 2])
  })

  it('are not estimated from shares that are together more than all', () => {
    const reads = [
      { upTo: 10, given: 4 },
      { upTo: 11, given: 10, buffered: [11] },
      { upTo: 12, given: 4, buffered: [12] },
    ]
    expect(shardsOf(reads, 4, 1_000)).toEqual([1, 2])
  })

  it('are not estimated once the others return 999 of 1,000 items', () => {
    const reads = [
      { upTo: 10, given: 995 },
      { upTo: 11, given: 5 },
    ]
    // 4 more of 8, as if all were equal: 999 of 1,000.
    expect(expected(reads, 992, 2_000)).toEqual([[1, 1_006.99]])
  })

  it('are never expected to return more than all items', () => {
    expect(expected([{ upTo: 10, given: 50 }], 10, 20)).toEqual([[1, 10]])
  })

  it('are estimated before there is an item', () => {
    const reads = [
      { upTo: 10, given: 0 },
      { upTo: 10, given: 0 },
    ]
    // 4 of 9 each: as if each shard had returned 4, and nothing counts as one.
    expect(expected(reads, 0, 90)).toEqual([
      [1, 40],
      [2, 40],
    ])
  })

  it('are expected to return nothing once the page is full', () => {
    expect(expected([{ upTo: 10, given: 10 }], 30, 20)).toEqual([[1, 0]])
  })
})
