import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../sizing/partition-limits.js'
import type { PlanReason } from './plan.js'
import type { PlanInput } from './plan-input.js'

/** Units per second at the peak. */
export interface PeakUnits {
  readonly hottestWrites: number
  readonly hottestReads: number
  readonly writes: number
  readonly reads: number
}

/** A table with fewer keys is badly cut, rather than hot. */
const FEW_KEYS = 10
/** The first split takes 5 to 15 minutes of pressure, and each doubling of partitions another one. */
const MINUTES_PER_SPLIT = 15

/** Whether and why a table should be sharded: `hot-keys` if it should. */
export function verdictOf(input: PlanInput, peak: PeakUnits): PlanReason {
  const { headRoom, order, provisionedWriteUnits, distinctKeys, hasLocalIndex, rampMinutes } = input
  const hotWrites = peak.hottestWrites > PARTITION_WRITE_UNITS * (1 - headRoom)
  const hotReads = peak.hottestReads > PARTITION_READ_UNITS * (1 - headRoom)
  if (!hotWrites && !hotReads) {
    return provisionedWriteUnits !== undefined && peak.writes > provisionedWriteUnits
      ? 'table-too-small'
      : 'fits'
  }
  if (!hotWrites) return 'cache-reads'
  if (order === 'single-item') return 'single-item'
  if (distinctKeys !== undefined && distinctKeys <= FEW_KEYS) return 'better-key'
  const splits = Math.ceil(Math.log2(peak.hottestWrites / (PARTITION_WRITE_UNITS * (1 - headRoom))))
  const isSplitInTime = rampMinutes >= MINUTES_PER_SPLIT * Math.max(1, splits)
  return order === 'spread' && !hasLocalIndex && isSplitInTime ? 'split-for-heat' : 'hot-keys'
}
