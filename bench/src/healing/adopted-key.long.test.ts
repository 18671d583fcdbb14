import { describe, expect, it } from 'vitest'
import { ADOPTED_KEYS, missedByAdoptedKey, runAdoptedKey } from './adopted-key.js'

const [small, million] = ADOPTED_KEYS

describe('an adopted key that gets a second shard', () => {
  it('settles within a minute with 5,000 items', async () => {
    if (small === undefined) throw new Error('There is no such load.')
    const run = await runAdoptedKey(small, 1)
    expect(missedByAdoptedKey(small, run)).toEqual([])
    expect(run.movedItems).toBeGreaterThan(2_000)
  })

  it('moves items fast enough for a million in 90 minutes, and harms no write of the application', async () => {
    if (million === undefined) throw new Error('There is no such load.')
    const part = { ...million, items: 16_000 }
    const run = await runAdoptedKey(part, 1)
    expect(missedByAdoptedKey(part, run)).toEqual([])
    const wouldTake = million.items / 2 / (run.movedItems / run.movingSeconds)
    expect(wouldTake).toBeLessThan(million.target.seconds)
    expect(run.writes).toBeGreaterThan(10_000)
  })
})
