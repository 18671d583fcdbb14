import { describe, expect, it } from 'vitest'
import { catchUpGoal } from './catch-up-goal.js'
import type { ShardStream } from './shard-stream.js'

/** A finished shard, and the sort key up to which it was read. */
interface Finished {
  readonly finishedAt: number
}

/** @param reads the sort key up to which each shard was read: none before the first read, and `end` for a finished shard */
function goalOf(reads: readonly (number | 'end' | Finished | undefined)[], direction: 1 | -1 = 1) {
  const streams = reads.map((read, index) => {
    const upTo = typeof read === 'object' ? read.finishedAt : read
    const frontier = typeof upTo === 'number' ? { sort: { N: String(upTo) }, shard: index + 1 } : undefined
    return { isFinished: upTo !== read || read === 'end', frontier } as ShardStream
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

  it('is never where a shard was read to the end of its range', () => {
    expect(goalOf([{ finishedAt: 2 }, 1, { finishedAt: 7 }, 9])).toBeUndefined()
    expect(goalOf([{ finishedAt: 4 }, 1, 3, 9])).toEqual({ sort: { N: '9' }, shard: 0 })
  })
})
