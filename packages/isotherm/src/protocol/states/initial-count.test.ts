import { describe, expect, it } from 'vitest'
import { historyEntry } from './history.js'
import { beginInitial, growInitial } from './initial-count.js'
import { type AtRest, readableShards, type Settled } from './shard-state.js'

const INITIAL: Settled = { phase: 'settled', shards: 2, lastUpdated: 100, history: [historyEntry(100, 2)] }

describe('the initial count of a table', () => {
  it('goes through the phases of a key with a calculated suffix', () => {
    expect(beginInitial('calculated', INITIAL, 5, 200)).toMatchObject({
      phase: 'announced',
      shards: 2,
      from: 2,
      to: 5,
      lastUpdated: 200,
    })
  })

  it('with a random suffix lets readers look in new shards before any process writes there', () => {
    const widened = beginInitial('random', INITIAL, 5, 200) as AtRest
    expect(widened).toEqual({
      phase: 'retired',
      shards: 2,
      lastUpdated: 201,
      history: [historyEntry(200, 5), historyEntry(201, 2)],
    })
    expect(readableShards(widened)).toBe(5)
    expect(growInitial(widened, 5, 300)).toEqual({
      phase: 'settled',
      shards: 5,
      lastUpdated: 300,
      history: [historyEntry(300, 5)],
    })
  })

  it('with a random suffix is lowered like that of a key', () => {
    expect(beginInitial('random', INITIAL, 1, 200)).toMatchObject({ phase: 'retired', shards: 1 })
    expect(beginInitial('random', INITIAL, 2, 200)).toEqual({
      phase: 'settled',
      shards: 2,
      lastUpdated: 200,
      history: [historyEntry(100, 2), historyEntry(200, 2)],
    })
  })

  it('grows only after readers look in the new shards', () => {
    const widened = beginInitial('random', INITIAL, 5, 200) as AtRest
    expect(() => growInitial(INITIAL, 5, 300)).toThrow('Invariant phase broken')
    expect(() => growInitial(widened, 2, 300)).toThrow('Invariant phase broken')
  })
})
