import type { Table } from '../table/table.js'
import { memberOf } from '../table/table-state.js'
import { insightRules } from './insight-names.js'
import type { InsightRule } from './insight-rule.js'
import type { KeyspaceMeter } from './keyspace-meter.js'
import type { Metrics } from './metrics.js'

/** Makes the meters of a table and its indexes count exactly the keys that their Contributor Insights need. */
export function watchKeys(table: Table, metrics: Metrics): void {
  watch(table, undefined, table.meter, metrics)
  for (const [name, index] of table.indexes) watch(table, name, index.meter, metrics)
}

function watch(
  { name, region, definition, state, indexes }: Table,
  index: string | undefined,
  meter: KeyspaceMeter | undefined,
  metrics: Metrics,
): void {
  const insights = memberOf(state.insights, index ?? '')
  if (meter === undefined || (insights === undefined && meter.rules.length === 0)) return
  const { hash, range } =
    (index === undefined ? undefined : indexes.get(index))?.definition.schema ?? definition.schema
  const named =
    insights === undefined || !insights.enabled
      ? []
      : insightRules({ ...insights, table: name, index, hasSortKey: range.length > 0 })
  const rules: Record<'accessed' | 'throttled', InsightRule[]> = { accessed: [], throttled: [] }
  for (const rule of named) {
    const keys = rule.by === 'partition-key' ? hash : [...hash, ...range]
    rules[rule.counts].push(metrics.rules.open(region, { name: rule.name, keys, from: insights?.until ?? 0 }))
  }
  const open = new Set(named.map((rule) => rule.name))
  for (const { definition: old } of meter.rules)
    if (!open.has(old.name)) metrics.rules.close(region, old.name)
  meter.watch(rules)
}
