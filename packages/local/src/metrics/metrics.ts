import type { TableMeters } from '../catalog/table-meters.js'
import type { Table } from '../table/table.js'
import { AccountLevels, type AccountQuotas } from './account-levels.js'
import { InsightRules } from './insight-rules.js'
import { KeyspaceMetrics, type RegionalMetrics } from './keyspace-metrics.js'
import type { MetricSeries } from './metric-series.js'
import type { MetricSource } from './metric-source.js'
import { MetricStore } from './metric-store.js'
import type { MetricsParameters } from './metrics-parameters.js'
import { TableMetrics } from './table-metrics.js'

/** The maximum number of deleted tables and indexes whose levels can still be read. */
const MAX_ENDED = 1000

/** All metrics of an engine: the meters that record them, and the sources to read them from. */
export class Metrics implements TableMeters {
  readonly #parameters: MetricsParameters
  readonly #quotas: AccountQuotas
  readonly #accounts = new Map<string, AccountLevels>()
  readonly #tables = new Map<string, TableMetrics>()
  readonly #indexes = new Map<string, KeyspaceMetrics>()
  /** Meters of deleted tables and indexes, in the order of deletion. */
  readonly #ended = new Set<string>()
  #store: MetricStore
  #rules: InsightRules

  constructor(parameters: MetricsParameters, quotas: AccountQuotas) {
    this.#quotas = quotas
    this.#parameters = parameters
    this.#store = new MetricStore(parameters)
    this.#rules = new InsightRules(parameters)
  }

  get rules(): InsightRules {
    return this.#rules
  }

  /** The meter of an existing table. It continues the metrics of an earlier table of that name. */
  table(region: string, TableName: string): TableMetrics {
    const place = `${region}/${TableName}`
    this.#ended.delete(place)
    const known = this.#tables.get(place)
    if (known !== undefined) return known
    const meter = new TableMetrics({ TableName }, this.#regional(region))
    this.#tables.set(place, meter)
    return meter
  }

  /** The meter of an existing global index. */
  index(region: string, TableName: string, GlobalSecondaryIndexName: string): KeyspaceMetrics {
    const place = `${region}/${TableName}/${GlobalSecondaryIndexName}`
    this.#ended.delete(place)
    const known = this.#indexes.get(place)
    if (known !== undefined) return known
    const dimensions = { TableName, GlobalSecondaryIndexName }
    const meter = new KeyspaceMetrics(dimensions, this.#regional(region))
    this.#indexes.set(place, meter)
    return meter
  }

  /** The meter of a table that exists or existed. */
  lastTable(region: string, name: string): TableMetrics | undefined {
    return this.#tables.get(`${region}/${name}`)
  }

  /** Ends the meters of a deleted table with its indexes, or of a deleted index. */
  ended(region: string, table: string, index: string | undefined, now: number): void {
    const ended = index === undefined ? `${region}/${table}` : `${region}/${table}/${index}`
    for (const meters of [this.#tables, this.#indexes]) {
      for (const [place, meter] of meters) {
        if (place === ended || place.startsWith(`${ended}/`)) this.#end(place, meter, now)
      }
    }
  }

  /** Ends the meters of all tables except these and their indexes. Recorded metrics remain. */
  endOthers(tables: readonly Table[], now: number): void {
    const places = tables.flatMap(({ region, name, indexes }) => {
      const place = `${region}/${name}`
      return [place, ...[...indexes.keys()].map((index) => `${place}/${index}`)]
    })
    const there = new Set(places)
    for (const [place, meter] of [...this.#tables, ...this.#indexes]) {
      if (!there.has(place)) this.#end(place, meter, now)
    }
  }

  /** Ends all meters. Recorded metrics remain. */
  endAll(now: number): void {
    for (const [place, meter] of [...this.#tables, ...this.#indexes]) this.#end(place, meter, now)
  }

  /** Removes all metrics. */
  clear(): void {
    this.#store = new MetricStore(this.#parameters)
    this.#rules = new InsightRules(this.#parameters)
    this.#accounts.clear()
    this.#tables.clear()
    this.#indexes.clear()
    this.#ended.clear()
  }

  userError(region: string, now: number): void {
    this.#store.series({ region, name: 'UserErrors', dimensions: {} }).add(1, now)
  }

  /** The start of the retention time. */
  keptSince(now: number): number {
    return now - this.#parameters.retentionMilliseconds
  }

  /** All metrics of the region that have points within the retention time. */
  sources(region: string): readonly MetricSource[] {
    const meters = [...this.#tables, ...this.#indexes].flatMap(([place, meter]) =>
      place.startsWith(`${region}/`) ? [meter] : [],
    )
    const consumption = meters.flatMap((meter) => meter.consumption)
    const shown = new Set<MetricSeries>(consumption.map(({ recorded }) => recorded))
    const recorded = [...this.#store.all].filter(
      (series) => series.id.region === region && !shown.has(series),
    )
    const levels = meters.flatMap((meter) => meter.levels)
    return [...consumption, ...recorded, ...levels, ...(this.#accounts.get(region)?.sources ?? [])]
  }

  #regional(region: string): RegionalMetrics {
    return { region, store: this.#store, account: this.#account(region), rules: this.#rules }
  }

  #account(region: string): AccountLevels {
    const known = this.#accounts.get(region)
    if (known !== undefined) return known
    const account = new AccountLevels(region, this.#quotas)
    this.#accounts.set(region, account)
    return account
  }

  #end(place: string, meter: KeyspaceMetrics, now: number): void {
    meter.ended(now)
    this.#ended.add(place)
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) return
      this.#ended.delete(oldest)
      this.#tables.delete(oldest)
      this.#indexes.delete(oldest)
    }
  }
}
