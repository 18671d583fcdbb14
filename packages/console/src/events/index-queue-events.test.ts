import type { HeatSpan } from '@isotherm/local'
import { expect, it } from 'vitest'
import { indexQueueEvents } from './index-queue-events.js'

const REASON = 'IndexWriteKeyRangeThroughputExceeded'

function spanOf(seconds: readonly number[], reason: typeof REASON | 'IndexReadKeyRangeThroughputExceeded') {
  const columns = seconds.map((second) => ({
    at: second * 1_000,
    frame: { partitions: [], keys: [], reasons: new Map([[reason, 1]]) },
  }))
  return { from: 0, to: 100_000, seconds: 1, columns } satisfies HeatSpan
}

it('has the seconds in which the queue of an index became full', () => {
  const events = indexQueueEvents(spanOf([5, 6, 7, 12, 40, 41], REASON), 'jobs', 'by_status')
  expect(events).toEqual([
    { type: 'index-full', at: 5_000, table: 'jobs', index: 'by_status', reason: REASON },
    { type: 'index-full', at: 40_000, table: 'jobs', index: 'by_status', reason: REASON },
  ])
})

it('has no event for reads that an index refused', () => {
  expect(indexQueueEvents(spanOf([5], 'IndexReadKeyRangeThroughputExceeded'), 'jobs', 'by_status')).toEqual(
    [],
  )
})
