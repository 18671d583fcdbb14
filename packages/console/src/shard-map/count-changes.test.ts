import { describe, expect, it } from 'vitest'
import { countChanges } from './count-changes.js'
import { storedReasons, storedState } from './stored-state.js'

const item = {
  number_of_shards: { N: '2' },
  shard_history: { SS: ['400:2', '100:1', 'nonsense', '200:4', '300:8'] },
  last_growth: { S: '4:8:980:311:0' },
  last_peak: { S: '350:8' },
}

describe('the changes of a count', () => {
  it('have the reason of the last growth with its rates, and that of the last removal', () => {
    expect(countChanges(storedState(item), storedReasons(item))).toEqual([
      { at: 200_000, from: 1, to: 4 },
      { at: 300_000, from: 4, to: 8, reason: 'hot', acceptedPerSecond: 980, throttledPerSecond: 311 },
      { at: 400_000, from: 8, to: 2, reason: 'quiet' },
    ])
  })

  it('have no reason where what is stored is of other counts, or no figures', () => {
    const other = { ...item, last_growth: { S: '16:32:1:1:0' }, last_peak: { S: '350:64' } }
    expect(countChanges(storedState(other), storedReasons(other)).map(({ reason }) => reason)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(storedReasons({ last_growth: { S: 'x' }, last_peak: { S: 'y' } })).toEqual({})
  })
})
