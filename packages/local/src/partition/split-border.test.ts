import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type EncodedKey, encodeKey } from '../keyspace/encoded-key.js'
import { chooseSplitBorder } from './split-border.js'

const random = new SeededRandom(11)
const anyOf = <T>(values: readonly T[]) => values[Math.floor(random.next() * values.length)] as T
const keyOf = (partition: string, sort: string) => encodeKey([{ S: partition }], [{ S: sort }])
const padded = (number: number) => String(number).padStart(9, '0')

describe('the border of a split', () => {
  it('halves the load of ten hot keys', () => {
    const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`)
    const sample = Array.from({ length: 500 }, () => keyOf(anyOf(keys), 'same'))
    const decision = chooseSplitBorder(sample)
    if (!decision.split) throw new Error(`refused: ${decision.because}`)
    const left = sample.filter((key) => key < decision.border).length
    expect(left).toBeGreaterThan(500 * 0.3)
    expect(left).toBeLessThan(500 * 0.7)
  })

  it('lies inside an item collection whose sort keys come in random order', () => {
    const sample = Array.from({ length: 500 }, () => keyOf('one', padded(Math.floor(random.next() * 1e6))))
    const decision = chooseSplitBorder(sample)
    if (!decision.split) throw new Error(`refused: ${decision.because}`)
    const left = sample.filter((key) => key < decision.border).length
    expect(Math.abs(left - 250)).toBeLessThanOrEqual(5)
  })

  it('does not exist for one hot item', () => {
    const sample = Array.from({ length: 100 }, () => keyOf('one', 'item'))
    expect(chooseSplitBorder(sample)).toEqual({ split: false, because: 'one-hot-item' })
  })

  it.each([
    ['grows', (step: number) => padded(step)],
    ['falls', (step: number) => padded(1000 - step)],
  ])('does not exist inside a collection whose sort key only %s', (_, sortOf) => {
    const sample = Array.from({ length: 300 }, (_, step) => keyOf('log', sortOf(step)))
    expect(chooseSplitBorder(sample)).toEqual({ split: false, because: 'sort-key-only-moves-on' })
  })

  it('separates a collection that only grows from its neighbours', () => {
    const sample = Array.from({ length: 400 }, (_, step) =>
      step % 4 === 0 ? keyOf(`neighbour-${step % 7}`, padded(step)) : keyOf('log', padded(step)),
    )
    const decision = chooseSplitBorder(sample)
    if (!decision.split) throw new Error(`refused: ${decision.because}`)
    const log = sample.filter((key) => key.startsWith(keyOf('log', '').slice(0, 8)))
    const sides = new Set(log.map((key) => key < decision.border))
    expect(sides.size).toBe(1)
  })

  it('does not exist for a partition without requests', () => {
    expect(chooseSplitBorder([])).toEqual({ split: false, because: 'one-hot-item' })
  })

  it('is never the first key, although most of the load is there', () => {
    const [hot, cold] = [keyOf('a', '1'), keyOf('a', '2')]
    const decision = chooseSplitBorder([hot, hot, hot, hot, cold])
    expect(decision).toEqual({ split: true, border: cold })
  })

  it.each([
    ['sixteen steps show a direction', 17, { split: false, because: 'sort-key-only-moves-on' }],
    ['fifteen steps show none', 16, { split: true }],
  ])('needs a number of steps to find that a sort key only grows: %s', (_what, items, decision) => {
    const sample = Array.from({ length: items }, (_, step) => keyOf('log', padded(step)))
    expect(chooseSplitBorder(sample)).toMatchObject(decision)
  })

  it.each([
    ['one step of twenty', 1, false],
    ['two steps of twenty', 2, true],
  ])('may lie in a collection whose sort key falls back: %s', (_what, falls, split) => {
    let at = 0
    const sample = Array.from({ length: 21 }, (_, step) => {
      at += step > 0 && step <= 2 * falls && step % 2 === 0 ? -1 : 2
      return keyOf('log', padded(at))
    })
    expect(chooseSplitBorder(sample).split).toBe(split)
  })

  it.each([
    ['grows', 1],
    ['falls', -1],
  ])('does not count the repetition of a key that %s as a step', (_, direction) => {
    const sample = Array.from({ length: 60 }, (_, step) =>
      keyOf('log', padded(100 + direction * Math.floor(step / 3))),
    )
    expect(chooseSplitBorder(sample)).toEqual({ split: false, because: 'sort-key-only-moves-on' })
  })

  describe('where the items of a key stay together', () => {
    const collection = (at: number) => String.fromCharCode(at).repeat(8)
    const items = (at: number, count: number) =>
      Array.from({ length: count }, (_, item) => `${collection(at)}${item}` as EncodedKey)

    it('is the edge of the collection in the middle that leaves the more equal halves', () => {
      const earlier = chooseSplitBorder([...items(1, 3), ...items(2, 5), ...items(3, 1)], true)
      expect(earlier).toEqual({ split: true, border: collection(2) })
      const later = chooseSplitBorder([...items(1, 1), ...items(2, 5), ...items(3, 3)], true)
      expect(later).toEqual({ split: true, border: collection(3) })
    })

    it('does not exist for one collection', () => {
      expect(chooseSplitBorder(items(1, 9), true)).toEqual({
        split: false,
        because: 'one-collection-with-local-indexes',
      })
    })
  })
})
