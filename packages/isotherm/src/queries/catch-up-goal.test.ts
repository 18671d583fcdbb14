import { describe, expect, it } from 'vitest'
import { catchUpGoal } from './catch-up-goal.js'
import type { ShardStream } from './shard-stream.js'

/** @param reads the sort key up to which each shard was read: none before the first read, and `end` for a finished shard */
function goalOf(reads: readonly (number | 'end' | undefined)[], direction: 1 | -1 = 1) {
  const streams = reads.map((upTo, index) => {
    const frontier = typeof upTo === 'number' ? { sort: { N: String(upTo) }, shard: index + 1 } : undefined
    return { isFinished: upTo === 'end', frontier } as ShardStream
  })
  return catchUpGoal(streams, { direction, parted: true })
}

describe('the goal of the shards that are behind', () => {
  it('is where the shard in the middle is, before the items of every shard there', () => {
    expect(goalOf([9, 1, 5])).toEqual({ sort: { N: '5' }, shard: 0 })
    expect(goalOf([9, 1, 5, 7])).toEqual({ sort: { N: '7' }, shard: 0 })
  })

  it('is the other way round in a descending query', () => {
    expect(goalOf([9, 1, 5, 7], -1)).toEqual({ sort: { N: '5' }, shard: 0 })
  })

  it('is the next sort key where the shard in the middle is no further than the last', () => {
    expect(goalOf([1, 1, 1, 8])).toEqual({ sort: { N: '8' }, shard: 0 })
  })

  it('is unknown before the first reads', () => {
    expect(goalOf([undefined, undefined])).toBeUndefined()
  })

  it('is none where all are equally far', () => {
    expect(goalOf([3, 3, 3])).toBeUndefined()
  })

  it('is none where most shards are finished, so that the others are read without a bound', () => {
    expect(goalOf(['end', 1, 'end', 'end', 9])).toBeUndefined()
    expect(goalOf(['end', 1, 9, 'end', 5])).toEqual({ sort: { N: '9' }, shard: 0 })
  })
})
