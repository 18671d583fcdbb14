import type { TableMeter } from '../table/table-meter.js'
import { KeyspaceMetrics } from './keyspace-metrics.js'
import type { MetricSeries } from './metric-series.js'
import type { Dimensions } from './metric-source.js'

/** The metrics of a table: those of its keyspace, and the results of requests. */
export class TableMetrics extends KeyspaceMetrics implements TableMeter {
  readonly #series = new Map<string, MetricSeries>()
  readonly #latencies = new Map<string, MetricSeries>()

  latency(operation: string, milliseconds: number, now: number): void {
    let series = this.#latencies.get(operation)
    if (series === undefined) {
      series = this.series('SuccessfulRequestLatency', { Operation: operation })
      this.#latencies.set(operation, series)
    }
    series.add(milliseconds, now)
  }

  returnedItems(operation: string, count: number, now: number): void {
    this.#add('ReturnedItemCount', { Operation: operation }, count, now)
  }

  throttledRequest(operation: string, now: number): void {
    this.#add('ThrottledRequests', { Operation: operation }, 1, now)
  }

  systemError(operation: string, now: number): void {
    this.#add('SystemErrors', { Operation: operation }, 1, now)
  }

  failedCondition(now: number): void {
    this.#add('ConditionalCheckFailedRequests', {}, 1, now)
  }

  /** @param items the number of items in the request that conflicted. */
  transactionConflict(items: number, now: number): void {
    this.#add('TransactionConflict', {}, items, now)
  }

  expiredItems(count: number, now: number): void {
    this.#add('TimeToLiveDeletedItemCount', {}, count, now)
  }

  /** Records a response of GetRecords. */
  records(StreamLabel: string, count: number, bytes: number, milliseconds: number, now: number): void {
    const of = { Operation: 'GetRecords', StreamLabel }
    this.#add('SuccessfulRequestLatency', of, milliseconds, now)
    this.#add('ReturnedRecordsCount', of, count, now)
    this.#add('ReturnedBytes', of, bytes, now)
  }

  #add(name: string, of: Dimensions, value: number, now: number): void {
    const key = `${name}/${of.Operation}/${of.StreamLabel}`
    let series = this.#series.get(key)
    if (series === undefined) {
      series = this.series(name, of)
      this.#series.set(key, series)
    }
    series.add(value, now)
  }
}
