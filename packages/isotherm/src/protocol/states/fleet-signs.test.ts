import { describe, expect, it } from 'vitest'
import { growthText, ITEM_HASHES, NO_HEAT, parseGrowth } from './fleet-signs.js'

const GROWTH = { from: 2, to: 16, acceptedPerSecond: 950, throttledPerSecond: 1_210, inVain: 10 }

describe('the last growth of a count', () => {
  it('is one text in the shard map', () => {
    expect(growthText(GROWTH)).toBe('2:16:950:1210:10')
    for (const growth of [GROWTH, { ...GROWTH, from: 128, to: 256 }]) {
      expect(parseGrowth(growthText(growth))).toEqual(growth)
    }
  })

  it('has rates in whole units', () => {
    const growth = { ...GROWTH, acceptedPerSecond: 949.7, throttledPerSecond: 1_209.5 }
    expect(growthText(growth)).toBe(growthText(GROWTH))
  })

  it.each([
    '',
    '2',
    '2:16:950:1210',
    '2:16:950:1210:10:7',
    'x2:16:950:1210:10',
    '2:16:950:x:10',
    '2:16:-1:0:0',
  ])('is unknown where another writer has left "%s"', (text) => {
    expect(parseGrowth(text)).toBeUndefined()
  })
})

it('no heat has a number for each class of items', () => {
  expect(NO_HEAT).toEqual({
    offeredUnits: 0,
    acceptedUnits: 0,
    throttledUnits: [0, 0, 0, 0, 0, 0, 0, 0],
    samples: 0,
  })
  expect(NO_HEAT.throttledUnits).toHaveLength(ITEM_HASHES)
})
