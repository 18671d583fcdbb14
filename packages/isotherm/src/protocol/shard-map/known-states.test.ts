import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { keyText } from '../../keys/key.js'
import { atRest, type ShardState } from '../states/shard-state.js'
import { KnownStates } from './known-states.js'
import type { SharedState } from './shared-reads.js'

const K = { S: 'k' } as LogicalKey
const TEXT = keyText(K)
const LIFETIME = 10_000

const stateOf = (shards: number, lastUpdated: number, history = [`${lastUpdated}:${shards}`]): ShardState =>
  atRest({ shards, lastUpdated, history })

function setUp() {
  const clock = new VirtualClock(100_000)
  const shared: SharedState[] = []
  const states = new KnownStates({
    clock,
    initial: 2,
    cacheMilliseconds: LIFETIME,
    shared: { find: async () => undefined, share: (_key, state) => shared.push(state) },
  })
  return { clock, states, shared }
}

describe('a state that a process knows', () => {
  it('lives from the time when it was asked for', () => {
    const { clock, states } = setUp()
    const known = states.learn(K, stateOf(3, 7), clock.now() - 400)
    expect(known.view).toMatchObject({ shards: 3, validUntil: clock.now() - 400 + LIFETIME })
    expect(states.millisecondsLeft(known)).toBe(LIFETIME - 400)
    expect([states.get(TEXT), states.peek(TEXT)]).toEqual([known, known])
  })

  it('of a key without an item has the initial count', () => {
    const { clock, states } = setUp()
    expect(states.learn(K, undefined, clock.now())).toMatchObject({ state: undefined, view: { shards: 2 } })
  })

  it('is not replaced by an earlier one, nor by a missing item, while it is valid', () => {
    const { clock, states } = setUp()
    const known = states.learn(K, stateOf(3, 7), clock.now())
    clock.advance(LIFETIME - 1)
    expect(states.learn(K, stateOf(2, 6), clock.now())).toBe(known)
    expect(states.keep(TEXT, undefined, clock.now())).toBe(known)
  })

  it('is later than a missing item, even if it was written at the beginning of time', () => {
    const { clock, states } = setUp()
    const missing = states.learn(K, undefined, clock.now())
    const known = states.learn(K, stateOf(3, 0), clock.now())
    expect(known).not.toBe(missing)
    expect(states.learn(K, undefined, clock.now())).toBe(known)
  })

  it('is replaced by an earlier one once it has expired: somebody has restored the shard map', () => {
    const { clock, states } = setUp()
    states.learn(K, stateOf(3, 7), clock.now())
    clock.advance(LIFETIME)
    const restored = states.learn(K, stateOf(2, 6), clock.now())
    expect(restored.view).toMatchObject({ shards: 2, validUntil: clock.now() + LIFETIME })
    expect(states.peek(TEXT)).toBe(restored)
  })

  it('lives until the later end of two reads that found the same', () => {
    const { clock, states } = setUp()
    const { view } = states.learn(K, stateOf(3, 7), clock.now())
    expect(states.learn(K, stateOf(3, 7), clock.now() - 3_000).view.validUntil).toBe(view.validUntil)
    expect(states.learn(K, stateOf(3, 7), clock.now() + 50).view.validUntil).toBe(view.validUntil + 50)
  })

  it('that is new lives no longer than its own read allows', () => {
    const { clock, states } = setUp()
    const { view } = states.learn(K, stateOf(3, 7), clock.now())
    expect(states.learn(K, stateOf(4, 8), clock.now() - 3_000).view.validUntil).toBe(view.validUntil - 3_000)
  })

  it('is shared with the time when it was asked for, if the key has a count of its own', () => {
    const { clock, states, shared } = setUp()
    const state = stateOf(3, 7)
    states.learn(K, state, clock.now())
    // A late response of the same state is as new as the one before.
    states.learn(K, state, clock.now() - 3_000)
    expect(shared).toEqual([
      { state, askedAt: clock.now() },
      { state, askedAt: clock.now() },
    ])
    states.learn(K, { ...stateOf(2, 8), initialAsOf: 1 }, clock.now())
    states.keep(TEXT, stateOf(2, 9), clock.now())
    expect(shared).toHaveLength(2)
  })
})

describe('the time since when a process has known a count', () => {
  it('begins again with each other count and each other phase, and with no other write', () => {
    const { clock, states } = setUp()
    const since = (state: ShardState | undefined) => {
      clock.advance(1_000)
      return states.learn(K, state, clock.now()).countSince
    }
    const history = ['7:3']
    expect(since(undefined)).toBe(101_000)
    expect(since(undefined)).toBe(101_000)
    expect(since(stateOf(3, 7, history))).toBe(103_000)
    expect(since(stateOf(3, 8, history))).toBe(103_000)
    const retired: ShardState = { ...stateOf(3, 9, history), phase: 'retired' }
    expect(since(retired)).toBe(105_000)
    expect(since(stateOf(4, 10, ['7:3', '10:4']))).toBe(106_000)
    clock.advance(LIFETIME)
    expect(since(undefined)).toBe(117_000)
  })
})
