import { describe, expect, it } from 'vitest'
import { ITEM_HASHES } from '../../protocol/index.js'
import { itemHash } from './item-hash.js'

describe('the class of an item', () => {
  it('is the same in every process, whose samples are added up', () => {
    expect([itemHash({ S: 'a' }), itemHash({ S: 'order 17' }), itemHash({ N: '42' })]).toEqual([4, 6, 4])
    expect([itemHash({ S: '注文 17' }), itemHash({ S: 'Zürich' })]).toEqual([6, 7])
    expect(itemHash({ B: Buffer.from('order 17') })).toBe(itemHash({ S: 'order 17' }))
  })

  it.each([
    ['numbers', (at: number) => ({ N: String(at) })],
    ['texts with one beginning', (at: number) => ({ S: `2026-11-24T${at}` })],
    ['texts with one end', (at: number) => ({ S: `${at}/settings` })],
  ])('is another for neighbours: %s', (_what, sort) => {
    const counts = new Array<number>(ITEM_HASHES).fill(0)
    for (let at = 0; at < 8_000; at++) {
      const hash = itemHash(sort(at))
      counts[hash] = (counts[hash] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count / (8_000 / ITEM_HASHES) - 1)).toBeLessThan(0.25)
  })
})
