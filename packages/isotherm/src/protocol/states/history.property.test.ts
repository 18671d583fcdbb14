import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highestCount, inUseSince, loweredCounts, withEntry } from './history.js'
import { forget, resize } from './random-count.js'
import { type AtRest, firstState, readableShards } from './shard-state.js'

// Small counts are included, because keys shrink to them and grow from them repeatedly.
const counts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 }))
const changes = fc.array(fc.tuple(counts, fc.integer({ min: -5, max: 100 })), { maxLength: 80, size: 'max' })

describe('the history of a key', () => {
  it('never forgets how far a reader must look, nor what items are on their way below, however long it is', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let now = 1_800_000_000
        let state = firstState(1, now)
        const whole = [...state.history]
        for (const [shards, seconds] of steps) {
          now += seconds
          state = resize(state, shards, now)
          whole.push(...state.history.slice(-1))
        }
        const { history } = state
        expect(readableShards(state)).toBe(highestCount(whole))
        expect(loweredCounts(history)).toEqual(loweredCounts(whole))
        expect(history.slice(-20)).toEqual(whole.slice(-20))
        expect(history.length).toBeLessThanOrEqual(20 + 2 * loweredCounts(history).length)
      }),
    )
  })

  it('is bounded whatever another writer has left, and keeps what readers need of it', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 2_000 }), counts)
    const anything = fc.array(entry, { maxLength: 200, size: 'max' })
    fc.assert(
      fc.property(anything, counts, (entries, count) => {
        const left = entries.sort(([a], [b]) => a - b).map(([seconds, shards]) => `${seconds}:${shards}`)
        const history = withEntry(left, 3_000, count)
        const whole = [...left, `3000:${count}`]
        expect(highestCount(history)).toBe(highestCount(whole))
        expect(loweredCounts(history)).toEqual(loweredCounts(whole))
        expect(history.at(-1)).toBe(`3000:${count}`)
      }),
    )
  })

  it('drops the oldest entries if the count only grows', () => {
    let state = firstState(1, 100)
    for (let shards = 2; shards <= 50; shards++) state = resize(state, shards, 0)
    expect(state.history).toEqual(Array.from({ length: 20 }, (_, index) => `${130 + index}:${31 + index}`))
  })

  it('knows every border that items cross downwards, also that of a growth not as high as before', () => {
    // In the simulator, an item moved from the eighth shard to the fifth after a query had read the fifth and before it read the
    // eighth.
    let state = firstState(1, 1_800_000_000)
    for (const shards of [8, 4, 5]) state = resize(state, shards, 1_800_000_000)
    expect(loweredCounts(state.history)).toEqual([5, 4])
  })

  it('never takes a shard for one that stayed in use, which was given up and is back', () => {
    const forgets = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 })
    fc.assert(
      fc.property(changes, forgets, fc.integer({ min: 1, max: 500 }), (steps, drained, shard) => {
        let state: AtRest = firstState(1, 1_000)
        const states = [state]
        for (const [index, [shards]] of steps.entries()) {
          state = resize(state, shards, 0)
          states.push(state)
          if (drained[index] !== true || state.phase !== 'retired') continue
          state = forget(state, 0)
          states.push(state)
        }
        const lost = states.findLast(({ shards }) => shards < shard)?.lastUpdated ?? 0
        expect(inUseSince(shard, state.history)).toBeGreaterThan(lost)
      }),
    )
  })

  it('knows since when a shard has been in use as long as it goes back', () => {
    let state = firstState(3, 100)
    for (const shards of [5, 2, 4, 4, 8]) state = resize(state, shards, 0)
    expect([1, 2, 3, 4, 5, 8, 9].map((shard) => inUseSince(shard, state.history))).toEqual([
      100,
      100,
      103,
      103,
      105,
      105,
      Number.POSITIVE_INFINITY,
    ])
  })
})
