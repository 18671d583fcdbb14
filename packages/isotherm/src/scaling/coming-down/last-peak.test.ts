import { describe, expect, it } from 'vitest'
import { NO_HEAT } from '../../protocol/index.js'
import { atRest, type ShardState } from '../../protocol/states/shard-state.js'
import { memoryOfPeak, rememberedCount } from './last-peak.js'

const WEEK = 7 * 86_400
const NOW = 1_800_000_000

function stateWith(
  shards: number,
  lastPeak?: { readonly shards: number; readonly at: number },
  grownAt = NOW - 100,
): ShardState {
  const fleet = {
    heat: NO_HEAT,
    lastGrowth: undefined,
    lastBusy: 0,
    ...(lastPeak === undefined ? {} : { lastPeak }),
  }
  return atRest({ shards, lastUpdated: grownAt, history: [`${grownAt}:${shards}`], fleet })
}

describe('the count of the last peak', () => {
  it('counts for a week, then for half as much each week', () => {
    const state = stateWith(1, { shards: 16, at: NOW })
    const after = [0, WEEK - 1, WEEK, 2 * WEEK, 4 * WEEK, 100 * WEEK]
    expect(after.map((seconds) => rememberedCount(state, NOW + seconds))).toEqual([16, 16, 8, 4, 1, 1])
    expect(rememberedCount(stateWith(1), NOW)).toBe(1)
  })

  it('is forgotten by a clock that is behind no later than by others', () => {
    expect(rememberedCount(stateWith(1, { shards: 16, at: NOW + 3_600 }), NOW)).toBe(16)
  })

  it('is written when shards are removed, with the time of the peak', () => {
    expect(memoryOfPeak(stateWith(16))?.values).toEqual({ ':peak': { S: `${NOW - 100}:16` } })
    expect(memoryOfPeak(stateWith(16, { shards: 8, at: NOW - 500 }))?.values).toEqual({
      ':peak': { S: `${NOW - 100}:16` },
    })
  })

  it('is written as an attribute of the key, also without other signs of the fleet', () => {
    const bare = atRest({ shards: 16, lastUpdated: NOW, history: [`${NOW}:16`] })
    expect(rememberedCount(bare, NOW)).toBe(1)
    expect(memoryOfPeak(bare)).toEqual({
      update: 'SET #peak = :peak',
      names: { '#peak': 'last_peak' },
      values: { ':peak': { S: `${NOW}:16` } },
    })
  })

  it('is that of the last time when the key was busy', () => {
    const state = stateWith(16)
    const busy = {
      ...state,
      fleet: { ...state.fleet, heat: NO_HEAT, lastGrowth: undefined, lastBusy: NOW + 50 },
    }
    expect(memoryOfPeak(busy)?.values).toEqual({ ':peak': { S: `${NOW + 50}:16` } })
  })

  it('is not written again for a count that came from the memory: small peaks would keep it for ever', () => {
    expect(memoryOfPeak(stateWith(16, { shards: 16, at: NOW - 500 }))).toBeUndefined()
    let memory = { shards: 16, at: NOW }
    // A small peak each day that needs three shards, and gets as many as are remembered.
    for (let day = 1; day <= 40; day++) {
      const now = NOW + day * 86_400
      const grown = Math.max(3, rememberedCount(stateWith(1, memory), now))
      if (memoryOfPeak(stateWith(grown, memory, now)) !== undefined) memory = { shards: grown, at: now }
    }
    expect(memory.shards).toBe(3)
  })

  it('is not written again if half of the memory was forgotten between the growth and the shrink', () => {
    const grownAt = NOW + WEEK - 86_400
    expect(memoryOfPeak(stateWith(16, { shards: 16, at: NOW }, grownAt))).toBeUndefined()
  })
})
