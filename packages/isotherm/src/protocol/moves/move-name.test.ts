import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { copyMark, newMoveName, readOrigins } from './move-name.js'

const random = new SeededRandom(1)

/** Returns the mark of an item that was moved from shard to shard. */
function markAfter(shards: readonly number[]): string | undefined {
  let mark: string | undefined
  for (const shard of shards) mark = copyMark(shard, newMoveName(random, 1), mark)
  return mark
}

it('tells the shards that an item came down from, the last one first', () => {
  expect(readOrigins(undefined)).toEqual([])
  expect(readOrigins(markAfter([9]))).toEqual([9])
  expect(readOrigins(markAfter([9, 5, 3]))).toEqual([3, 5, 9])
})

it('forgets those of an earlier time, when the item was lower down', () => {
  expect(readOrigins(markAfter([2, 9, 5]))).toEqual([5, 9])
})

it('stays within the 64 bytes that are left to the marks of an item', () => {
  const moves = Array.from({ length: 20 }, (_, index) => 1_000 - index)
  expect(readOrigins(markAfter(moves))).toEqual([981, 982, 983])
  expect(`isotherm_moved${markAfter(moves)}`.length).toBeLessThanOrEqual(64)
})
