import { describe, expect, it } from 'vitest'
import { fixedView, type ShardView } from '../states/shard-view.js'
import { looksFor } from './looks.js'

const changing = (from: number, to: number): ShardView => ({
  ...fixedView(to),
  moves: { kind: 'change', from, to },
})

describe('an item is looked for', () => {
  it('once, in all of its places, where nothing is on its way', () => {
    expect(looksFor(fixedView(3), [3, 2, 1])).toEqual([[3, 2, 1]])
    expect(looksFor(changing(2, 5), [1])).toEqual([[1]])
  })

  it('once more where it goes to, while the count of a calculated key changes', () => {
    expect(looksFor(changing(2, 5), [1, 4])).toEqual([[1, 4], [4]])
    expect(looksFor(changing(5, 2), [4, 1])).toEqual([[4, 1], [1]])
  })

  it('below each count that a random key was lowered to, one after another', () => {
    const places = [6, 5, 4, 3, 2, 1]
    const moves = { kind: 'drain', below: [4, 2] } as const
    const looks = [places, [4, 3], [2, 1]]
    expect(looksFor({ ...fixedView(2), readable: 6, moves }, places)).toEqual(looks)
    // The rounds are the same if the key has grown again since.
    expect(looksFor({ ...fixedView(6), moves }, places)).toEqual(looks)
  })
})
