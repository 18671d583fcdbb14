import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announce, move } from '../states/calculated-count.js'
import { inUseSince } from '../states/history.js'
import { resize } from '../states/random-count.js'
import { firstState, readableShards } from '../states/shard-state.js'
import { fromAttributes, toAttributes } from './shard-map-item.js'

const counts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 }))
const changes = fc.array(fc.tuple(counts, fc.integer({ min: -5, max: 100 })), { maxLength: 80, size: 'max' })

function atRestAfter(item: Record<string, AttributeValue>) {
  const state = fromAttributes('map', item)
  if (state.phase === 'announced' || state.phase === 'moved') throw new Error('The item has a phase.')
  return state
}

describe('an item of the shard map', () => {
  it('comes back from its attributes as it was', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        let state = firstState(3, 1_800_000_000)
        for (const [shards, seconds] of steps) state = resize(state, shards, state.lastUpdated + seconds)
        expect(fromAttributes('map', toAttributes(state))).toEqual(state)
      }),
    )
  })

  it('comes back in the phase of its change, and is refused where that is no phase', () => {
    const state = move(announce(firstState(4, 1_800_000_000), 9, 1_800_000_001), 1_800_000_002)
    const attributes = toAttributes(state)
    expect(fromAttributes('map', attributes)).toEqual(state)
    expect(readableShards(fromAttributes('map', attributes))).toBe(9)
    expect(() => fromAttributes('map', { ...attributes, phase: { S: 'gone' } })).toThrow(/phase/)
    expect(() => fromAttributes('map', { ...attributes, to_shards: { N: '0' } })).toThrow(/to_shards/)
  })

  it('has a history that tells of its count, whatever another writer has left', () => {
    const read = (history: string[]) =>
      atRestAfter({
        number_of_shards: { N: '8' },
        last_updated: { N: '20' },
        ...(history.length === 0 ? {} : { shard_history: { SS: history } }),
      })
    for (const history of [[], ['10:4'], ['10:4', 'nonsense']]) {
      expect(readableShards(resize(read(history), 2, 30))).toBe(8)
    }
    expect(read(['10:16']).history).toEqual(['10:16', '20:8'])
    expect(read(['10:16', '20:8']).history).toEqual(['10:16', '20:8'])
    // A writer that changes only the count leaves the time of the last change as it was.
    const grown = resize(read(['20:16']), 16, 1_000)
    expect(inUseSince(9, grown.history)).toBe(1_000)
  })

  it('is refused by name when a count is no count', () => {
    expect(() => fromAttributes('map', { number_of_shards: { S: 'two' }, last_updated: { N: '1' } })).toThrow(
      /number_of_shards/,
    )
  })
})
