import type { CapacityMeter } from '../capacity/capacity-meter.js'
import type { KeySchema } from './table-definition.js'
import type { InsightsState } from './table-state.js'

/** Records the metrics of a table or a global index. */
interface KeyMeter extends CapacityMeter {
  /** Makes it count exactly the keys that Contributor Insights of the table or index need. */
  watch(insights: InsightsState | undefined, schema: KeySchema): void
}

/** Records the metrics of a global index. */
export interface IndexMeter extends KeyMeter {
  readonly builds: {
    begin(from: number, until: number): void
    complete(now: number): void
  }
}

/** Records the metrics of a table, and the outcomes of the requests that use it. */
export interface TableMeter extends KeyMeter {
  latency(operation: string, milliseconds: number, now: number): void
  returnedItems(operation: string, count: number, now: number): void
  throttledRequest(operation: string, now: number): void
  systemError(operation: string, now: number): void
  failedCondition(now: number): void
  /** @param items how many items of one request conflicted. */
  transactionConflict(items: number, now: number): void
  expiredItems(count: number, now: number): void
}
