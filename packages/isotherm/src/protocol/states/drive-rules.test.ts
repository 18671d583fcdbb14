import { describe, expect, it } from 'vitest'
import { isAbandoned, isClaimed, isUnwritten, mayMoveItems, phaseMilliseconds } from './drive-rules.js'
import { resize } from './random-count.js'
import { firstState } from './shard-state.js'
import { viewOf } from './shard-view.js'

const FOREVER = Number.POSITIVE_INFINITY
const retired = resize(firstState(8, 1_000), 2, 1_100)

describe('a driver may move items', () => {
  it('while the shard map has what it wrote, or something earlier', () => {
    expect(mayMoveItems(viewOf(retired, FOREVER), retired)).toBe(true)
    const renewed = { ...retired, lastUpdated: retired.lastUpdated + 60 }
    expect(mayMoveItems(viewOf(retired, FOREVER), renewed)).toBe(true)
  })

  it.each([
    ['later', { ...retired, lastUpdated: retired.lastUpdated + 1 }],
    ['of another count', { ...retired, shards: 3 }],
    ['the initial one again, which is older', firstState(2, 0)],
  ])('and no longer when the state is %s', (_what, state) => {
    expect(mayMoveItems(viewOf(state, FOREVER), retired)).toBe(false)
  })

  it('and not by a count that never changes', () => {
    expect(mayMoveItems({ shards: 2, readable: 2, moves: undefined, validUntil: FOREVER }, retired)).toBe(
      false,
    )
  })
})

it('a phase outlasts the caches of all processes, and the late requests that were sent on them', () => {
  expect(phaseMilliseconds({ cacheMilliseconds: 5_000, lateRequestMilliseconds: 300 })).toBe(5_300)
})

it('a state is unwritten while the shard map has the time that was read', () => {
  expect(isUnwritten(retired, { ...retired })).toBe(true)
  expect(isUnwritten(retired, { ...retired, lastUpdated: retired.lastUpdated + 1 })).toBe(false)
  expect(isUnwritten(retired, undefined)).toBe(false)
})

it('a change is claimed once a driver has written it after its beginning', () => {
  expect(isClaimed(retired)).toBe(false)
  expect(isClaimed({ ...retired, lastUpdated: retired.lastUpdated + 1 })).toBe(true)
})

it.each([
  [false, 30_000],
  [true, 180_000],
])(
  'a change may be abandoned when renewals are missing (keysOfOneRegion %s: for %i ms)',
  (keysOfOneRegion, milliseconds) => {
    const state = { ...retired, lastUpdated: 1_000 }
    expect(isAbandoned({ keysOfOneRegion }, state, 1_000_000 + milliseconds - 1)).toBe(false)
    expect(isAbandoned({ keysOfOneRegion }, state, 1_000_000 + milliseconds)).toBe(true)
  },
)
