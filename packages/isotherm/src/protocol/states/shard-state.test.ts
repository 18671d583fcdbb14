import { describe, expect, it } from 'vitest'
import { historyEntry } from './history.js'
import { resize } from './random-count.js'
import {
  atRest,
  firstState,
  isChanging,
  isOwn,
  isSameCount,
  isUnfinished,
  readableShards,
  repeatedState,
  type ShardState,
  sourceShards,
  targetCount,
} from './shard-state.js'

const SETTLED = firstState(4, 100)
const RETIRED = resize(SETTLED, 2, 200)
const change = (phase: 'announced' | 'moved' | 'draining', from: number, to: number): ShardState => ({
  phase,
  from,
  to,
  shards: phase === 'announced' ? from : to,
  lastUpdated: 200,
  history: [historyEntry(100, from), historyEntry(200, to)],
})

describe('the state of a key', () => {
  it('that is seen for the first time is at rest, with its count as its history', () => {
    expect(SETTLED).toEqual({
      phase: 'settled',
      shards: 4,
      lastUpdated: 100,
      history: [historyEntry(100, 4)],
    })
  })

  it('at rest is retired while its history has a lowered count', () => {
    expect(atRest(RETIRED).phase).toBe('retired')
    expect(atRest(SETTLED).phase).toBe('settled')
  })

  it.each([
    [SETTLED, false, false, 4],
    [RETIRED, false, true, 2],
    [change('announced', 4, 6), true, true, 6],
    [change('moved', 4, 6), true, true, 6],
    [change('draining', 4, 6), true, true, 6],
  ] as const)(
    '%# says whether a change is under way, whether work is left, and the count to come',
    (state, changes, isLeft, to) => {
      expect(isChanging(state)).toBe(changes)
      expect(isUnfinished(state)).toBe(isLeft)
      expect(targetCount(state)).toBe(to)
    },
  )
})

describe('a state that repeats the initial one', () => {
  it('has the time of the card that it repeats, and is no count of its own', () => {
    const initial = firstState(3, 500)
    expect(repeatedState(initial, 400)).toEqual({ ...initial, lastUpdated: 500, initialAsOf: 500 })
    expect(repeatedState(initial, 600)).toEqual({ ...initial, lastUpdated: 600, initialAsOf: 500 })
    expect(isOwn(repeatedState(initial, 600))).toBe(false)
    expect(isOwn(initial)).toBe(true)
    expect(isOwn(undefined)).toBe(false)
  })

  it('begins its own history where the table was never migrated', () => {
    expect(repeatedState(firstState(3, 0), 600)).toEqual({ ...firstState(3, 600), initialAsOf: 0 })
  })
})

describe('two states', () => {
  it('say the same if both are settled with one count', () => {
    expect(isSameCount(SETTLED, firstState(4, 900))).toBe(true)
    expect(isSameCount(SETTLED, firstState(3, 900))).toBe(false)
    expect(isSameCount(RETIRED, firstState(2, 900))).toBe(false)
    expect(isSameCount(firstState(2, 900), RETIRED)).toBe(false)
    expect(isSameCount(SETTLED, change('moved', 6, 4))).toBe(false)
    const wide: ShardState = { ...SETTLED, history: [historyEntry(1, 9), historyEntry(2, 4)] }
    expect(isSameCount(SETTLED, wide)).toBe(false)
    expect(isSameCount(firstState(9, 900), wide)).toBe(false)
  })

  it('do not say the same while one of them is changing to the count of the other', () => {
    const ending = change('draining', 4, 6)
    expect(isSameCount(ending, firstState(6, 900))).toBe(false)
    expect(isSameCount(firstState(6, 900), ending)).toBe(false)
    expect(isSameCount(ending, ending)).toBe(false)
  })
})

describe('the shards of a state', () => {
  it('that may hold items are those in use, and those that were', () => {
    expect(readableShards(SETTLED)).toBe(4)
    expect(readableShards(RETIRED)).toBe(4)
    expect(readableShards({ ...SETTLED, history: [] })).toBe(4)
    expect(readableShards({ ...change('moved', 7, 4), history: [] })).toBe(7)
  })

  it('that items leave are all of the old ones when a calculated key grows', () => {
    expect(sourceShards(change('moved', 3, 6))).toEqual([1, 2, 3])
  })

  it('that items leave are the removed ones when it falls, from the highest down', () => {
    expect(sourceShards(change('moved', 6, 3))).toEqual([6, 5, 4])
    expect(sourceShards(change('moved', 3, 3))).toEqual([])
  })

  it('that items leave are those above the lowest count of a random key, those in use again too', () => {
    expect(sourceShards(RETIRED)).toEqual([4, 3])
    expect(sourceShards(resize(RETIRED, 3, 300))).toEqual([4, 3])
    expect(sourceShards(SETTLED)).toEqual([])
  })
})
