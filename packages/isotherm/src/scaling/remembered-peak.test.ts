import { describe, expect, it } from 'vitest'
import { loadedEngine } from '../../test/loaded-engine.js'

/** Two partitions' worth of writes to a key with one shard. The clock of a run begins at 1,800,000,000. */
function loadAfterPeak(secondsAgo: number, max = 200) {
  return loadedEngine({
    seed: 1,
    processes: 2,
    keys: { hot: { unitsPerSecond: 2_000 } },
    itemUnits: 40,
    seconds: 14,
    shards: { max, jitter: ['0s', '1s'] },
    shardMap: { hot: { last_peak: { S: `${1_800_000_000 - secondsAgo}:12` } } },
  })
}

describe('a key that is hot again', () => {
  it.each([
    ['a day after a peak', 86_400, 200, 12],
    ['a day after a peak that needed more than it may have', 86_400, 8, 8],
    ['a week and a day after it', 8 * 86_400, 200, 6],
  ])('gets the count of its last peak in one step, %s', async (_name, secondsAgo, max, count) => {
    const { events } = await loadAfterPeak(secondsAgo, max)
    const [grown] = events.filter((event) => event.type === 'scaled')
    expect(grown).toMatchObject({ from: 1, to: count, reason: 'hot' })
  })

  it('gets what it needs where the peak was long ago', async () => {
    const { events } = await loadAfterPeak(60 * 86_400)
    const [grown] = events.filter((event) => event.type === 'scaled')
    expect(grown).toMatchObject({ from: 1, reason: 'hot' })
    expect(grown?.type === 'scaled' && grown.to).toBeLessThan(6)
  })
})
