import { describe, expect, it } from 'vitest'
import { historyEntry } from './history.js'
import { resize } from './random-count.js'
import { type AtRest, firstState, type ShardState } from './shard-state.js'
import {
  countBelow,
  fixedView,
  hasMoves,
  isConfirmed,
  isInTime,
  isPastCreations,
  limitedView,
  mayMoveOnWrite,
  type ShardView,
  stayedInUse,
  viewOf,
} from './shard-view.js'

const SETTLED = firstState(4, 100)
const changing = (phase: 'announced' | 'moved' | 'draining'): ShardState => ({
  shards: phase === 'announced' ? 4 : 6,
  lastUpdated: 200,
  history: [historyEntry(100, 4), historyEntry(200, 6)],
  phase,
  from: 4,
  to: 6,
})
const RETIRED = resize(resize(SETTLED, 3, 200), 2, 300)

describe('a view', () => {
  it('of a fixed count never expires, and nothing moves', () => {
    expect(fixedView(3)).toEqual({
      shards: 3,
      readable: 3,
      moves: undefined,
      validUntil: Number.POSITIVE_INFINITY,
    })
  })

  it('of a key at rest has its count, and nothing moves', () => {
    const view = viewOf(SETTLED, 7)
    expect(view).toEqual({ shards: 4, readable: 4, moves: undefined, state: SETTLED, validUntil: 7 })
    expect(hasMoves(view)).toBe(false)
  })

  it.each(['announced', 'moved', 'draining'] as const)('of a change has both counts (%s)', (phase) => {
    const view = viewOf(changing(phase), 7)
    expect(view).toMatchObject({ readable: 6, moves: { kind: 'change', from: 4, to: 6 } })
    expect(hasMoves(view)).toBe(true)
    expect(isPastCreations(view)).toBe(phase === 'draining')
    expect(mayMoveOnWrite(view)).toBe(phase !== 'announced')
  })

  it('of a random key with retired shards has each lowered count, and no writer moves what it finds', () => {
    const view = viewOf(RETIRED, 7)
    expect(view).toMatchObject({ shards: 2, readable: 4, moves: { kind: 'drain', below: [3, 2] } })
    expect(isPastCreations(view)).toBe(false)
    expect(mayMoveOnWrite(view)).toBe(false)
    expect(mayMoveOnWrite(fixedView(1))).toBe(false)
    expect(isPastCreations(fixedView(1))).toBe(false)
  })

  it('can be limited, and not extended', () => {
    const view = viewOf(SETTLED, 7)
    expect(limitedView(view, 5)).toEqual({ ...view, validUntil: 5 })
    expect(limitedView(view, 7)).toBe(view)
    expect(limitedView(view, 9)).toBe(view)
  })
})

describe('a view by which shards were asked', () => {
  const moving = viewOf(changing('moved'), 7)

  const at = (now: number) => ({ clock: { now: () => now } })

  it('is confirmed by one of the same state in which nothing moves, whenever that ends', () => {
    expect(isConfirmed(viewOf(SETTLED, 7), viewOf(SETTLED, 9), at(6))).toBe(true)
    expect(isConfirmed(fixedView(3), fixedView(3), at(6))).toBe(true)
  })

  it.each([
    ['written in between', { ...SETTLED, lastUpdated: 101 }],
    ['of another count', { ...SETTLED, shards: 3 }],
    ['with other shards to read', { ...SETTLED, history: [historyEntry(90, 5), historyEntry(100, 4)] }],
  ])('is not if one is %s', (_what, other) => {
    expect(isConfirmed(viewOf(SETTLED, 7), viewOf(other, 7), at(6))).toBe(false)
    expect(isConfirmed(viewOf(other, 7), viewOf(SETTLED, 7), at(6))).toBe(false)
  })

  it('is not while items move, because an item can pass between two looks', () => {
    expect(isConfirmed(moving, moving, at(6))).toBe(false)
    expect(isConfirmed(moving, { ...moving, moves: undefined }, at(6))).toBe(false)
    expect(isConfirmed({ ...moving, moves: undefined }, moving, at(6))).toBe(false)
  })

  it('is not when it has ended', () => {
    expect(isConfirmed(viewOf(SETTLED, 7), viewOf(SETTLED, 9), at(7))).toBe(false)
  })

  it('is not if one is of a fixed count', () => {
    expect(isConfirmed(fixedView(4), viewOf(SETTLED, 7), at(6))).toBe(false)
    expect(isConfirmed(viewOf(SETTLED, 7), fixedView(4), at(6))).toBe(false)
  })
})

describe('a response', () => {
  it('is valid until late requests of its view are over', () => {
    const at = (now: number) =>
      isInTime(viewOf(SETTLED, 1_000), {
        clock: { now: () => now },
        options: { lateRequestMilliseconds: 200 },
      })
    expect(at(1_199)).toBe(true)
    expect(at(1_200)).toBe(false)
  })
})

describe('the count because of which items leave a shard', () => {
  it('is the highest lowered one below the shard', () => {
    const view = viewOf(RETIRED, 7)
    expect(countBelow(view, 4)).toBe(3)
    expect(countBelow(view, 3)).toBe(2)
    expect(countBelow(viewOf(resize(firstState(9, 100), 3, 200), 7), 8)).toBe(3)
  })

  it('is the one before the shard where no count was lowered below it', () => {
    expect(countBelow(viewOf(RETIRED, 7), 2)).toBe(1)
    expect(countBelow(viewOf(changing('moved'), 7), 5)).toBe(4)
    expect(countBelow(fixedView(9), 5)).toBe(4)
  })
})

describe('a shard that an append was sent to', () => {
  const view = (state: AtRest) => viewOf(state, 7)
  const stayed = (shard: number, from: ShardView, to: ShardView, now = 7) =>
    stayedInUse(shard, from, to, { clock: { now: () => now }, options: { lateRequestMilliseconds: 5 } })
  const lowered = resize(SETTLED, 2, 200)
  const grownBack = resize(lowered, 4, 300)

  it('stayed in use while no count was lowered below it', () => {
    expect(stayed(2, view(SETTLED), view(lowered))).toBe(true)
    expect(stayed(4, view(SETTLED), view(resize(SETTLED, 9, 200)))).toBe(true)
  })

  it('did not when it was given up, or was given up and is back', () => {
    expect(stayed(3, view(SETTLED), view(lowered))).toBe(false)
    expect(stayed(3, view(SETTLED), view(grownBack))).toBe(false)
    expect(stayed(2, view(SETTLED), view(grownBack))).toBe(true)
    expect(stayed(3, view(grownBack), view(grownBack))).toBe(true)
  })

  it('stayed in use if the key has got a count of its own since, while the view before can matter', () => {
    const initial = view(firstState(4, 0))
    const own = resize(firstState(4, 100), 8, 200)
    expect(stayed(3, initial, view(own))).toBe(true)
    expect(stayed(3, initial, view(own), 12)).toBe(false)
    expect(stayed(3, initial, view(resize(resize(own, 2, 300), 4, 400)))).toBe(false)
  })

  it('stayed in use if the key has the initial count again, while the view before can matter', () => {
    const initial = view(firstState(4, 0))
    const own = view(resize(firstState(4, 100), 8, 200))
    expect(stayed(3, own, initial)).toBe(true)
    expect(stayed(3, own, initial, 12)).toBe(false)
    expect(stayed(3, initial, initial, 12)).toBe(true)
  })

  it('stayed in use if the count is fixed', () => {
    expect(stayed(3, fixedView(4), view(SETTLED))).toBe(true)
    expect(stayed(3, view(SETTLED), fixedView(4))).toBe(true)
    expect(stayed(5, fixedView(4), fixedView(4))).toBe(false)
  })
})
