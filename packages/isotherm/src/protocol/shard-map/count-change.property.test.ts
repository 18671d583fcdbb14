import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announced, moved, settled, sourceShards, unfinished } from './count-change.js'
import {
  changedState,
  firstState,
  fromAttributes,
  hurriedChanges,
  readableShards,
  type ShardState,
  toAttributes,
} from './shard-state.js'
import { viewOf } from './shard-view.js'

const counts = fc.integer({ min: 1, max: 1_000 })
const start = 1_800_000_000

describe('a change of a calculated count', () => {
  it('lets writers go over in its middle, and readers look everywhere until its end', () => {
    fc.assert(
      fc.property(counts, counts, (from, to) => {
        const first = firstState(from, start)
        const second = announced(first, to, start + 60)
        const third = moved(second, start + 120)
        const last = settled(third, start + 180)
        expect([first, second, third, last].map(({ shards }) => shards)).toEqual([from, from, to, to])
        expect(viewOf(second, 0).readable).toBe(Math.max(from, to))
        expect(viewOf(third, 0).readable).toBe(Math.max(from, to))
        expect(viewOf(last, 0)).toMatchObject({ shards: to, readable: to, change: undefined })
      }),
    )
  })

  it('moves the time of the lock on at each step, whatever the clock says', () => {
    const states: ShardState[] = [firstState(1, start)]
    const last = () => states.at(-1) as ShardState
    states.push(announced(last(), 2, start - 100))
    states.push(moved(last(), start - 200))
    states.push(settled(last(), start))
    const times = states.map(({ lastUpdated }) => lastUpdated)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  })

  it('empties retired shards from the last one on, so that an older move puts nothing behind whoever empties them', () => {
    const state = { ...firstState(5, 10), shards: 2 }
    expect(sourceShards(state)).toEqual([5, 4, 3])
  })

  it('empties those of a random key as far down as it ever was, also when they are in use again', () => {
    const changed = (...steps: number[]) =>
      steps.reduce((state, shards) => changedState(state, shards, 0), firstState(1, 10))
    expect(unfinished(changed(3, 5))).toBeUndefined()
    expect(unfinished(changed(5, 2, 5))).toBe('retired')
    expect(sourceShards(changed(5, 2, 5))).toEqual([5, 4, 3])
    expect(sourceShards(changed(5, 2, 8, 4))).toEqual([8, 7, 6, 5, 4, 3])
    expect(unfinished(settled(changed(5, 2, 5), 20))).toBeUndefined()
  })

  it('keeps the counts that a key has grown from, to tell how fast it grew, and forgets those that it has lost', () => {
    const change = (state: ShardState, to: number, at: number) =>
      settled(moved(announced(state, to, at), at + 30), at + 60)
    let state = firstState(1, 0)
    const hurried = [10, 80, 150, 400].map((at) => {
      state = change(state, state.shards * 2, at)
      return hurriedChanges(state, 60)
    })
    expect(hurried).toEqual([0, 1, 2, 0])
    expect(state.history).toEqual([
      '0:1',
      '10:2',
      '70:2',
      '80:4',
      '140:4',
      '150:8',
      '210:8',
      '400:16',
      '460:16',
    ])
    expect(change(state, 3, 500).history).toEqual(['560:3'])
    for (let at = 1_000; at < 5_000; at += 100) state = change(state, state.shards + 1, at)
    expect(state.history.length).toBeLessThanOrEqual(20)
  })

  it('skips no phase', () => {
    const first = firstState(2, start)
    expect(() => moved(first, start)).toThrow()
    expect(() => settled(announced(first, 3, start), start)).toThrow()
    expect(() => announced(announced(first, 3, start), 4, start)).toThrow()
    expect(() => moved(moved(announced(first, 3, start), start), start)).toThrow()
  })

  it('comes back from its attributes as it was, and is refused where it is no phase', () => {
    const state = moved(announced(firstState(4, start), 9, start + 1), start + 2)
    const attributes = toAttributes(state)
    expect(fromAttributes('map', attributes)).toEqual(state)
    expect(readableShards(fromAttributes('map', attributes))).toBe(9)
    expect(() => fromAttributes('map', { ...attributes, phase: { S: 'gone' } })).toThrow(/phase/)
    expect(() => fromAttributes('map', { ...attributes, to_shards: { N: '0' } })).toThrow(/to_shards/)
  })
})
