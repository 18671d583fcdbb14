import type { CapacitySettings } from '../capacity/capacity-settings.js'
import type { ThrottlingReason } from '../capacity/throttled.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { KeySchema } from '../table/table-definition.js'
import type { IndexMeter } from '../table/table-meter.js'
import type { InsightsState } from '../table/table-state.js'
import type { AccountLevels } from './account-levels.js'
import { BuildProgress } from './build-progress.js'
import { ConsumedSeries } from './consumed-series.js'
import { insightRules } from './insight-names.js'
import type { InsightRule } from './insight-rule.js'
import type { InsightRules } from './insight-rules.js'
import { LevelSeries } from './level-series.js'
import type { MetricSeries } from './metric-series.js'
import type { Dimensions, MetricId, MetricSource } from './metric-source.js'
import type { MetricStore } from './metric-store.js'

/** A write unit weighs as much as three read units, in the ratio of a partition's limits. */
const READS_PER_WRITE = 3

/** The rules that count the keys of a keyspace. */
type WatchedKeys = Readonly<Record<'accessed' | 'throttled', readonly InsightRule[]>>

const NO_RULES: WatchedKeys = { accessed: [], throttled: [] }

/** Where the metrics of a region are kept. */
export interface RegionalMetrics {
  readonly region: string
  readonly store: MetricStore
  readonly account: AccountLevels
  readonly rules: InsightRules
}

/** The metrics of a table or a global index: consumption, throttles, and capacity settings. */
export class KeyspaceMetrics implements IndexMeter {
  readonly dimensions: Dimensions
  readonly builds: BuildProgress
  readonly region: string
  readonly #store: MetricStore
  readonly #account: AccountLevels
  readonly #rules: InsightRules
  readonly #consumed: Record<AccessKind, ConsumedSeries>
  readonly #throttled: Record<AccessKind, MetricSeries>
  readonly #throttledFor = new Map<ThrottlingReason, MetricSeries>()
  readonly #levels: Record<'readUnits' | 'writeUnits', { provisioned: LevelSeries; maximum: LevelSeries }>
  #watched = NO_RULES

  constructor(dimensions: Dimensions, { region, store, account, rules }: RegionalMetrics) {
    this.region = region
    this.dimensions = dimensions
    this.#store = store
    this.#account = account
    this.#rules = rules
    this.builds = new BuildProgress((name) => this.#id(name))
    this.#consumed = {
      read: new ConsumedSeries(this.series('ConsumedReadCapacityUnits')),
      write: new ConsumedSeries(this.series('ConsumedWriteCapacityUnits')),
    }
    this.#throttled = {
      read: this.series('ReadThrottleEvents'),
      write: this.series('WriteThrottleEvents'),
    }
    this.#levels = {
      readUnits: {
        provisioned: new LevelSeries(this.#id('ProvisionedReadCapacityUnits')),
        maximum: new LevelSeries(this.#id('OnDemandMaxReadRequestUnits')),
      },
      writeUnits: {
        provisioned: new LevelSeries(this.#id('ProvisionedWriteCapacityUnits')),
        maximum: new LevelSeries(this.#id('OnDemandMaxWriteRequestUnits')),
      },
    }
  }

  /** Consumption, including minutes without any. */
  get consumption(): readonly ConsumedSeries[] {
    return Object.values(this.#consumed)
  }

  /** Metrics that are computed when they are read. */
  get levels(): readonly MetricSource[] {
    const { readUnits, writeUnits } = this.#levels
    return [
      readUnits.provisioned,
      writeUnits.provisioned,
      readUnits.maximum,
      writeUnits.maximum,
      ...this.builds.sources,
    ]
  }

  consumed(kind: AccessKind, key: EncodedKey, units: number, now: number): void {
    // Free operations are those of the service itself, such as the removal of expired items.
    if (units === 0) return
    this.#consumed[kind].add(units, now)
    for (const rule of this.#watched.accessed) {
      rule.record(key, kind === 'read' ? units : READS_PER_WRITE * units, now)
    }
  }

  throttled(kind: AccessKind, key: EncodedKey, reason: ThrottlingReason, now: number): void {
    this.#throttled[kind].add(1, now)
    this.#throttleSeries(reason).add(1, now)
    for (const rule of this.#watched.throttled) rule.record(key, 1, now)
  }

  changed({ billingMode, throughput, onDemandMaximum }: CapacitySettings, now: number): void {
    const isProvisioned = billingMode === 'PROVISIONED'
    for (const side of ['readUnits', 'writeUnits'] as const) {
      this.#levels[side].provisioned.set(isProvisioned ? throughput[side] : undefined, now)
      this.#levels[side].maximum.set(isProvisioned ? undefined : onDemandMaximum?.[side], now)
    }
    for (const consumed of this.consumption) consumed.exists(true, now)
    this.#account.provisioned(this, isProvisioned ? throughput : undefined, now)
  }

  watch(insights: InsightsState | undefined, { hash, range }: KeySchema): void {
    const { TableName: table = '', GlobalSecondaryIndexName: index } = this.dimensions
    const named = insights?.enabled
      ? insightRules({ ...insights, table, index, hasSortKey: range.length > 0 })
      : []
    const watched: Record<'accessed' | 'throttled', InsightRule[]> = { accessed: [], throttled: [] }
    for (const { name, counts, by } of named) {
      const keys = by === 'partition-key' ? hash : [...hash, ...range]
      watched[counts].push(this.#rules.open(this.region, { name, keys, from: insights?.until ?? 0 }))
    }
    this.#closeRules(new Set(named.map(({ name }) => name)))
    this.#watched = watched
  }

  /** Called when the table or index is gone. Recorded metrics remain. */
  ended(now: number): void {
    this.#closeRules(new Set())
    this.#watched = NO_RULES
    for (const { provisioned, maximum } of Object.values(this.#levels)) {
      provisioned.set(undefined, now)
      maximum.set(undefined, now)
    }
    for (const consumed of this.consumption) consumed.exists(false, now)
    this.builds.ended(now)
    this.#account.provisioned(this, undefined, now)
  }

  protected series(name: string, more: Dimensions = {}): MetricSeries {
    return this.#store.series(this.#id(name, more))
  }

  #closeRules(kept: ReadonlySet<string>): void {
    for (const { definition } of [...this.#watched.accessed, ...this.#watched.throttled]) {
      if (!kept.has(definition.name)) this.#rules.close(this.region, definition.name)
    }
  }

  #throttleSeries(reason: ThrottlingReason): MetricSeries {
    const known = this.#throttledFor.get(reason)
    if (known !== undefined) return known
    const series = this.series(throttleMetricOf(reason))
    this.#throttledFor.set(reason, series)
    return series
  }

  #id(name: string, more: Dimensions = {}): MetricId {
    return { region: this.region, name, dimensions: { ...this.dimensions, ...more } }
  }
}

/**
 * The metric that counts throttles of a reason: for example, `IndexWriteKeyRangeThroughputExceeded` counts in the
 * index's `WriteKeyRangeThroughputThrottleEvents`. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html
 */
function throttleMetricOf(reason: ThrottlingReason): string {
  return `${reason.replace(/^(Table|Index)/, '').replace(/Exceeded$/, '')}ThrottleEvents`
}
