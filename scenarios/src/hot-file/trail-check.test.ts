import { describe, expect, it } from 'vitest'
import { isSound, TrailCheck, type TrailVerdict } from './trail-check.js'

const SOUND: TrailVerdict = { items: 0, missing: 0, duplicates: 0, outOfOrder: 0, unacknowledged: 0 }

function verdictOf(acknowledged: readonly string[], read: readonly string[]): TrailVerdict {
  const check = new TrailCheck(acknowledged)
  for (const sortKey of read) check.read(sortKey)
  return check.verdict()
}

describe('the check of a trail', () => {
  it('finds nothing wrong with a trail that is what was acknowledged, in whatever order that came', () => {
    const verdict = verdictOf(['c', 'a', 'b'], ['a', 'b', 'c'])
    expect(verdict).toEqual({ ...SOUND, items: 3 })
    expect(isSound(verdict)).toBe(true)
  })

  it('counts what was acknowledged and is not there', () => {
    const verdict = verdictOf(['a', 'b', 'c'], ['b'])
    expect(verdict).toEqual({ ...SOUND, items: 1, missing: 2 })
    expect(isSound(verdict)).toBe(false)
  })

  it('counts every further time an item is read', () => {
    const verdict = verdictOf(['a', 'b'], ['a', 'a', 'a', 'b'])
    expect(verdict).toEqual({ ...SOUND, items: 4, duplicates: 2 })
    expect(isSound(verdict)).toBe(false)
  })

  it('counts items that come after a later one', () => {
    const verdict = verdictOf(['a', 'b', 'c', 'd'], ['a', 'd', 'b', 'c'])
    expect(verdict).toEqual({ ...SOUND, items: 4, outOfOrder: 2 })
    expect(isSound(verdict)).toBe(false)
  })

  it('does not hold an item against the trail whose acknowledgement may have been lost', () => {
    const verdict = verdictOf(['a'], ['a', 'b'])
    expect(verdict).toEqual({ ...SOUND, items: 2, unacknowledged: 1 })
    expect(isSound(verdict)).toBe(true)
  })
})
