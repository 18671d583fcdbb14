import { describe, expect, it } from 'vitest'
import { anyKey, BehaviourBench, get, put } from '../behaviour/behaviour-bench.js'

/** One small partition, which is hot from 90 units a second on, and is split after five hot seconds. */
const SMALL = {
  capacity: {
    onDemandPartitions: 1,
    partitionWriteUnitsPerSecond: 100,
    partitionReadUnitsPerSecond: 100,
    heatSeconds: 5,
  },
}

describe('a partition that is hot', () => {
  it.each([
    ['writes', put],
    ['reads', get],
  ])('is split for %s near its limit, although none of them is throttled', (_kind, request) => {
    const bench = new BehaviourBench({}, SMALL)
    const load = (unitsPerSecond: number) => ({
      seconds: 10,
      unitsPerSecond,
      unitsEach: 1,
      request: (index: number) => request(anyKey(index), 'a'),
    })
    const busy = bench.drive(load(80))
    expect([...busy.refusals]).toEqual([])
    expect(bench.events).toEqual([])
    const hot = bench.drive(load(95))
    expect([...hot.refusals]).toEqual([])
    expect(bench.events[0]).toMatchObject({ type: 'split', cause: 'heat' })
  })
})
