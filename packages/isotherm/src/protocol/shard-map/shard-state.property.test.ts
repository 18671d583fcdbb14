import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settled } from './count-change.js'
import {
  changedState,
  firstState,
  fromAttributes,
  hurriedChanges,
  inUseSince,
  loweredCounts,
  readableShards,
  toAttributes,
} from './shard-state.js'

// Small counts too: they are lowered to and grown from again and again.
const counts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 }))
const changes = fc.array(fc.tuple(counts, fc.integer({ min: -5, max: 100 })), { maxLength: 80, size: 'max' })

describe('the state of a key', () => {
  it('never forgets how far a reader must look, nor what items are on their way below, however long its history', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let now = 1_800_000_000
        let state = firstState(1, now)
        const whole = [...state.history]
        for (const [shards, seconds] of steps) {
          now += seconds
          state = changedState(state, shards, now)
          whole.push(...state.history.slice(-1))
        }
        const { shards, history } = state
        expect(readableShards(state)).toBe(readableShards({ ...state, history: whole }))
        expect(loweredCounts(state)).toEqual(loweredCounts({ shards, history: whole }))
        expect(history.slice(-20)).toEqual(whole.slice(-20))
        expect(history.length).toBeLessThanOrEqual(20 + 2 * loweredCounts(state).length)
      }),
    )
  })

  it('drops the oldest of a history that only grows', () => {
    let state = firstState(1, 100)
    for (let shards = 2; shards <= 50; shards++) state = changedState(state, shards, 0)
    expect(state.history).toEqual(Array.from({ length: 20 }, (_, index) => `${130 + index}:${31 + index}`))
  })

  it('has a time that grows with each change, so that the lock on it holds', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let state = firstState(1, 1_800_000_000)
        for (const [shards] of steps) {
          const next = changedState(state, shards, 1_800_000_000)
          expect(next.lastUpdated).toBeGreaterThan(state.lastUpdated)
          state = next
        }
      }),
    )
  })

  it('knows every border that items cross downwards, also that of a growth not as high as before', () => {
    // A query in the simulator read the fifth shard before and the eighth after an item went from there to here.
    let state = firstState(1, 1_800_000_000)
    for (const shards of [8, 4, 5]) state = changedState(state, shards, 1_800_000_000)
    expect(loweredCounts(state)).toEqual([5, 4])
  })

  it('never takes a shard for one that stayed in use, which was given up and is back', () => {
    const settles = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 })
    fc.assert(
      fc.property(changes, settles, fc.integer({ min: 1, max: 500 }), (steps, forgets, shard) => {
        let state = firstState(1, 1_000)
        const states = [state]
        for (const [index, [shards]] of steps.entries()) {
          state = changedState(state, shards, 0)
          states.push(state)
          if (forgets[index] !== true) continue
          state = settled(state, 0)
          states.push(state)
        }
        const lost = states.findLast(({ shards }) => shards < shard)?.lastUpdated ?? 0
        expect(inUseSince(shard, state)).toBeGreaterThan(lost)
      }),
    )
  })

  it('knows since when a shard has been in use as long as its history goes back', () => {
    let state = firstState(3, 100)
    for (const shards of [5, 2, 4, 4, 8]) state = changedState(state, shards, 0)
    expect([1, 2, 3, 4, 5, 8, 9].map((shard) => inUseSince(shard, state))).toEqual([
      100,
      100,
      103,
      103,
      105,
      105,
      Number.POSITIVE_INFINITY,
    ])
  })

  it('tells how many changes came without a cooldown between, whoever made them', () => {
    const at = (...seconds: number[]) =>
      seconds.reduce((state, second) => changedState(state, state.shards + 1, second), firstState(1, 0))
    expect(hurriedChanges(firstState(1, 0), 60)).toBe(0)
    expect(hurriedChanges(at(5), 60)).toBe(0)
    expect(hurriedChanges(at(5, 15), 60)).toBe(1)
    expect(hurriedChanges(at(5, 15, 25), 60)).toBe(2)
    expect(hurriedChanges(at(5, 15, 75), 60)).toBe(0)
    expect(hurriedChanges(at(5, 15, 75, 80), 60)).toBe(1)
  })

  it('comes back from its attributes as it was', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let state = firstState(3, 1_800_000_000)
        for (const [shards, seconds] of steps)
          state = changedState(state, shards, state.lastUpdated + seconds)
        expect(readableShards(fromAttributes('map', toAttributes(state)))).toBe(readableShards(state))
        expect(fromAttributes('map', toAttributes(state)).shards).toBe(state.shards)
      }),
    )
  })

  it('has a history that tells of its count, whatever another writer has left', () => {
    const read = (history: string[]) =>
      fromAttributes('map', {
        number_of_shards: { N: '8' },
        last_updated: { N: '20' },
        ...(history.length === 0 ? {} : { shard_history: { SS: history } }),
      })
    for (const history of [[], ['10:4'], ['10:4', 'nonsense']]) {
      expect(readableShards(changedState(read(history), 2, 30))).toBe(8)
    }
    expect(read(['10:16']).history).toEqual(['10:16', '20:8'])
    expect(read(['10:16', '20:8']).history).toEqual(['10:16', '20:8'])
    // Whoever changes the count alone, leaves the time of the last change.
    const grown = changedState(read(['20:16']), 16, 1_000)
    expect(inUseSince(9, grown)).toBe(1_000)
  })

  it('is refused by name when a count is no count', () => {
    expect(() => fromAttributes('map', { number_of_shards: { S: 'two' }, last_updated: { N: '1' } })).toThrow(
      /number_of_shards/,
    )
  })
})
