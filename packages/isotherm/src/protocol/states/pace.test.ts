import { describe, expect, it } from 'vitest'
import { historyEntry } from './history.js'
import { countChangedAt, isPhaseDue, later, silenceOf, wasScaled } from './pace.js'
import { firstState, type ShardState } from './shard-state.js'

const FIRST = firstState(2, 100)
const CHANGED: ShardState = {
  ...FIRST,
  lastUpdated: 500,
  history: [historyEntry(100, 2), historyEntry(300, 4)],
}

describe('the time of the last change', () => {
  it('is that of the last entry of the history, although a driver has written later', () => {
    expect(countChangedAt(CHANGED)).toBe(300)
  })

  it('is that of the last write without a history', () => {
    expect(countChangedAt({ history: [], lastUpdated: 500 })).toBe(500)
  })

  it('tells a key that was scaled from one that was only seen', () => {
    expect(wasScaled(FIRST)).toBe(false)
    expect(wasScaled(CHANGED)).toBe(true)
    expect(wasScaled({ ...FIRST, history: [] })).toBe(false)
  })
})

describe('a phase of a calculated key', () => {
  it.each([
    ['announced', true],
    ['moved', true],
    ['draining', false],
  ] as const)('%s is due when its wait is over, or has none', (phase, isDue) => {
    const state: ShardState = { ...CHANGED, phase, from: 2, to: 4 }
    expect(isPhaseDue(state, 509_999, 10_000)).toBe(false)
    expect(isPhaseDue(state, 510_000, 10_000)).toBe(isDue)
  })

  it('is not due while the key is at rest', () => {
    expect(isPhaseDue(FIRST, 1e12, 0)).toBe(false)
  })
})

describe('the silence of a key', () => {
  const signs = {
    heat: { offeredUnits: 0, acceptedUnits: 0, throttledUnits: [], samples: 0 },
    lastGrowth: undefined,
  }

  it('counts from its last change', () => {
    expect(silenceOf(CHANGED, 310_500)).toBe(10_500)
  })

  it('counts from when it was last busy, if that was later', () => {
    expect(silenceOf({ ...CHANGED, fleet: { ...signs, lastBusy: 305 } }, 310_500)).toBe(5_500)
    expect(silenceOf({ ...CHANGED, fleet: { ...signs, lastBusy: 200 } }, 310_500)).toBe(10_500)
  })
})

describe('the time of a write', () => {
  it('is later than the one before, and than the last change, whatever the calendar says', () => {
    expect(later(CHANGED, 1_000)).toBe(1_000)
    expect(later(CHANGED, 500)).toBe(501)
    expect(later({ ...CHANGED, lastUpdated: 200 }, 0)).toBe(301)
  })
})
