import { describe, expect, it } from 'vitest'
import { BehaviourBench, provisioned, put } from '../behaviour/behaviour-bench.js'

describe('the available units of a partition', () => {
  it('are limited by its share where throughput is divided over partitions', () => {
    const bench = new BehaviourBench(provisioned(10, 10), { capacity: { model: 'classic' } })
    bench.ask(...put('a', 'a', 15))
    expect(bench.partitions().map(({ write }) => write.availableUnits)).toEqual([-5])
    expect(bench.failureOf(...put('a', 'a'))?.name).toBe('ProvisionedThroughputExceededException')
  })
})
