import { describe, expect, it } from 'vitest'
import { loadedEngine } from '../../test/loaded-engine.js'
import { doubling } from './policy.js'

/** Keys whose first two shards are on the same one of the four partitions, found by trial. */
const COLLIDING = ['hot-4', 'hot-12']

describe('a key whose new shard is on the partition of the old one', () => {
  it.each(COLLIDING)(
    'takes another step soon (%s)',
    async (key) => {
      const { events, counts, throttledAt } = await loadedEngine({
        seed: 4,
        processes: 1,
        keys: { [key]: { unitsPerSecond: 1_500 } },
        itemUnits: 50,
        seconds: 25,
        shards: { policy: doubling(), jitter: ['1s', '2s'], quiet: false },
      })
      const scaled = events.filter((event) => event.type === 'scaled')
      expect(scaled).toMatchObject([
        { from: 1, to: 2, reason: 'hot' },
        { from: 2, to: 4, reason: 'hot' },
      ])
      expect((scaled[1]?.at ?? 0) - (scaled[0]?.at ?? 0)).toBeLessThan(12_000)
      expect(counts.get(key)).toBe(4)
      const late = throttledAt.get(key)?.filter((second) => second > 18) ?? []
      expect(late.length).toBeLessThan((0.15 * (7 * 1_500)) / 50)
    },
    60_000,
  )

  it.each([
    { key: 'hot-4', reasons: ['hot', 'hot'] },
    { key: 'hot-1', reasons: ['hot'] },
  ])(
    'takes it when its change has settled where the suffix is calculated ($key: $reasons)',
    async ({ key, reasons }) => {
      const { events } = await loadedEngine({
        seed: 4,
        processes: 2,
        keys: { [key]: { unitsPerSecond: 1_500 } },
        itemUnits: 50,
        itemsOfKey: 12,
        seconds: 36,
        table: { suffix: 'calculated', cacheTtl: '2s', lateRequests: '1s' },
        shards: {
          policy: doubling(),
          jitter: ['1s', '2s'],
          quiet: false,
          drainUnitsPerSecond: 2_000,
        },
      })
      const announced = events.filter((event) => event.type === 'announced')
      const settled = events.find((event) => event.type === 'settled')
      expect(announced.map(({ reason }) => reason)).toEqual(reasons)
      expect(settled?.at).toBeGreaterThan(0)
      const [, second] = announced
      if (second === undefined || settled === undefined) return
      expect(second.at - settled.at).toBeGreaterThan(5_000)
      expect(second.at - settled.at).toBeLessThan(12_000)
    },
    60_000,
  )

  it('takes none where the step before has helped', async () => {
    const { events } = await loadedEngine({
      seed: 1,
      processes: 1,
      keys: { 'hot-1': { unitsPerSecond: 1_500 } },
      itemUnits: 50,
      seconds: 25,
      shards: { policy: doubling(), jitter: ['1s', '2s'], quiet: false },
    })
    expect(events.filter((event) => event.type === 'scaled')).toMatchObject([{ to: 2, reason: 'hot' }])
  }, 60_000)
})
