import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announce, drain, move, settle } from '../states/calculated-count.js'
import { NO_HEAT } from '../states/fleet-signs.js'
import { inUseSince } from '../states/history.js'
import { resize } from '../states/random-count.js'
import { firstState, isChanging, readableShards } from '../states/shard-state.js'
import { fromAttributes, toAttributes, toFleetAttributes } from './shard-map-item.js'

const counts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 }))
const changes = fc.array(fc.tuple(counts, fc.integer({ min: -5, max: 100 })), { maxLength: 80, size: 'max' })

function atRestAfter(item: Record<string, AttributeValue>) {
  const state = fromAttributes('map', item)
  if (isChanging(state)) throw new Error('The item has a phase.')
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

  it('is read as one in the phase *moved* by an earlier version, and no other change takes it for its own', () => {
    const first = firstState(4, 1_800_000_000)
    const moved = move(announce(first, 9, 1_800_000_001), 1_800_000_002)
    const draining = drain(moved, 1_800_000_003)
    const { draining_since, ...known } = toAttributes(draining)
    expect(draining_since).toEqual({ N: '1800000001' })
    expect(fromAttributes('map', { ...known, draining_since } as typeof known)).toEqual(draining)
    expect(fromAttributes('map', known)).toEqual({ ...draining, phase: 'moved' })
    // An earlier version ends the change, begins the next one, and leaves the attribute where it is.
    const again = announce(settle(draining, 1_800_000_004), 20, 1_800_000_005)
    for (const state of [again, move(again, 1_800_000_006)]) {
      expect(fromAttributes('map', { ...toAttributes(state), draining_since } as typeof known)).toEqual(state)
    }
  })

  it('keeps what the fleet has recorded, and does without what nobody writes', () => {
    const state = firstState(4, 1_800_000_000)
    const quietReads = { units: 5_000, since: 1_800_000_100, weighed: 4_000 }
    const fleet = {
      heat: NO_HEAT,
      lastGrowth: undefined,
      lastBusy: 1_800_000_050,
      quietReads,
      lastPeak: { shards: 16, at: 1_799_000_000 },
    }
    const attributes = { ...toAttributes(state), ...toFleetAttributes({ ...state, fleet }) }
    expect(fromAttributes('map', attributes)).toEqual({ ...state, fleet })
    const odd = { last_peak: { S: 'often' }, quiet_since: { N: '-3' }, quiet_reads: { S: '7' } }
    expect(fromAttributes('map', { ...toAttributes(state), ...odd })).toEqual(state)
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
