import { describe, expect, it } from 'vitest'
import { encodeKey } from '../keyspace/encoded-key.js'
import { Heat } from './heat.js'

const key = encodeKey([{ S: 'a' }], [])
const other = encodeKey([{ S: 'b' }], [])

/** Returns a heat after one second for each of these numbers of consumed units. */
function after(...units: number[]): Heat {
  const heat = new Heat(900)
  for (const [second, taken] of units.entries()) heat.consumed(key, taken, second * 1000)
  return heat
}

describe('the heat of a partition', () => {
  it('counts whole hot seconds', () => {
    expect(after(1000, 900, 1000, 0).hotSeconds).toBe(3)
  })

  it('loses one hot second for each cold second', () => {
    expect(after(1000, 1000, 1000, 10, 1000, 0).hotSeconds).toBe(3)
  })

  it('is gone after as many idle seconds as it was hot', () => {
    const heat = after(1000, 1000, 1000, 0)
    heat.consumed(key, 1, 60_000)
    expect(heat.hotSeconds).toBe(0)
  })

  it('counts a second with a throttled request as hot', () => {
    const heat = new Heat(900)
    heat.throttled(key, 0)
    heat.consumed(key, 1, 1000)
    expect(heat.hotSeconds).toBe(1)
  })

  it('remembers the keys of a hot second, and those that follow while it is hot', () => {
    const heat = new Heat(900)
    expect(heat.sample).toEqual([])
    heat.consumed(key, 899, 0)
    expect(heat.sample).toEqual([])
    heat.consumed(key, 1, 0)
    heat.consumed(other, 1, 1000)
    expect(heat.sample).toEqual([key, other])
  })

  it('remembers the key of a throttled request, if there is one', () => {
    const heat = new Heat(900)
    heat.throttled(undefined, 0)
    heat.throttled(key, 0)
    expect(heat.sample).toEqual([key])
  })

  it('remembers the last 512 keys, oldest first', () => {
    const heat = new Heat(0)
    for (let index = 0; index < 600; index++) heat.consumed(encodeKey([{ S: `${index}` }], []), 1, 0)
    expect(heat.sample).toHaveLength(512)
    expect(heat.sample[0]).toBe(encodeKey([{ S: '88' }], []))
    expect(heat.sample.at(-1)).toBe(encodeKey([{ S: '599' }], []))
  })
})
