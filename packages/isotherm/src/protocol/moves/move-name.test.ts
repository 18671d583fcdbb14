import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { copyMark, isMarkOf, markOfReplacement, newMoveName, readMoveName, readOrigins } from './move-name.js'

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

it('names each shard once, also if the item was moved from it twice', () => {
  expect(readOrigins(markAfter([9, 9]))).toEqual([9])
})

it.each(['', '9', 'x9:3:7', ':3:7'])('is of no move if its text is "%s"', (mark) => {
  expect(readOrigins(mark)).toEqual([])
})

it('of a replacement names the shard of the item that it replaces', () => {
  const mark = markOfReplacement(random, { source: 4, target: 2, before: markAfter([9]) })
  expect(readOrigins(mark)).toEqual([4, 9])
  expect(mark).toMatch(/^4,9:2:\d+:put$/)
})

describe('the name of a move', () => {
  it('has its target, and is not repeated', () => {
    const name = newMoveName(random, 12)
    expect(name.text).toMatch(/^12:\d+$/)
    expect(readMoveName(name.text)).toEqual({ text: name.text, target: 12 })
    expect(newMoveName(random, 12).text).not.toBe(name.text)
  })

  it.each([undefined, '', '12', '0:7', '12:', '12:7x', 'x12:7', '12345:7', '1x:7', '1,2:3:7'])(
    'is not "%s"',
    (text) => {
      expect(readMoveName(text)).toBeUndefined()
    },
  )

  it('is found at the end of the mark that it sets, whatever shards the mark names', () => {
    const name = { text: '3:7', target: 3 }
    expect(isMarkOf(name, copyMark(5, name, undefined))).toBe(true)
    expect(isMarkOf(name, '9,8,7,6,5:3:7')).toBe(true)
    expect(isMarkOf(name, '5:3:77')).toBe(false)
    expect(isMarkOf(name, '5:13:7')).toBe(false)
    expect(isMarkOf(name, undefined)).toBe(false)
  })
})
