import { describe, expect, it } from 'vitest'
import { BehaviourBench, provisioned, put } from '../behaviour/behaviour-bench.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { KeyspaceCapacity } from './keyspace-capacity.js'
import { reportPartitions } from './partition-report.js'

describe('the report of partitions', () => {
  const capacity = () =>
    new KeyspaceCapacity(
      { kind: 'Table', arn: 'arn' },
      { billingMode: 'PAY_PER_REQUEST', throughput: { readUnits: 0, writeUnits: 0 } },
      DEFAULT_CAPACITY,
      0,
      { wholeCollections: false, onSplit: () => {} },
    )

  it('has the range of each in hexadecimal bytes, the last one without an end', () => {
    const ranges = reportPartitions(capacity(), 0).map(({ from, to }) => ({ from, to }))
    expect(ranges).toEqual([
      { from: '', to: '4000000000000000' },
      { from: '4000000000000000', to: '8000000000000000' },
      { from: '8000000000000000', to: 'c000000000000000' },
      { from: 'c000000000000000', to: undefined },
    ])
  })

  it('has what each has consumed and refused, and has left', () => {
    const reported = capacity()
    const [, second] = reported.partitions.all
    if (second === undefined) return expect.fail('There are four partitions.')
    const key = '\x40' as EncodedKey
    reported.take('write', second, key, 400, 0)
    reported.throttle('read', second, key, 'TableReadKeyRangeThroughputExceeded', 0)
    expect(reportPartitions(reported, 0)[1]).toMatchObject({
      id: 1,
      bytes: second.bytes,
      read: { consumedUnits: 0, throttledRequests: 1, availableUnits: 3_000 },
      write: { consumedUnits: 400, throttledRequests: 0, availableUnits: 600 },
    })
  })
})

describe('the available units of a partition', () => {
  it('are limited by its share where throughput is divided over partitions', () => {
    const bench = new BehaviourBench(provisioned(10, 10), { capacity: { model: 'classic' } })
    bench.ask(...put('a', 'a', 15))
    expect(bench.partitions().map(({ write }) => write.availableUnits)).toEqual([-5])
    expect(bench.failureOf(...put('a', 'a'))?.name).toBe('ProvisionedThroughputExceededException')
  })
})
