export type { Item } from '@isotherm/semantics'
export { AdvisorError, type AdvisorErrorCode } from './errors/advisor-error.js'
export { type Estimate, type KeyHeat, keyHeat } from './heat/key-heat.js'
export { sampledShare } from './heat/sampled-share.js'
export type { Finding } from './lint/finding.js'
export { knownRule, type LintSettings, NO_SETTINGS, parseLintSettings } from './lint/lint-settings.js'
export { lintTable, type TableFindings } from './lint/lint-table.js'
export {
  type Cure,
  type Examined,
  type Found,
  LEVELS,
  type Level,
  type Rule,
  type RuleExample,
} from './lint/rule/rule.js'
export { RULES } from './lint/rules.js'
export { sarifLog } from './lint/sarif-log.js'
export { DEFAULT_PLAN_INPUT } from './plan/default-plan-input.js'
export type { Plan, PlannedKeyFigures, PlanOption, PlanReason } from './plan/plan.js'
export type { PlanInput, PlannedKey } from './plan/plan-input.js'
export { planTable } from './plan/plan-table.js'
export { AWS_PRICES } from './prices/aws-prices.js'
export {
  type Consumption,
  HOURS_PER_MONTH,
  type MonthlyPrices,
  monthlyPrices,
  regionOf,
} from './prices/monthly-price.js'
export { type PriceList, parsePriceList, type RegionPrices } from './prices/price-list.js'
export { type AttributeFigures, ItemSample } from './sample/item-sample.js'
export { parseItems } from './sample/parse-items.js'
export type { ValueCount } from './sample/value-counts.js'
export { MAX_SHARDS } from './sizing/one-key-shards.js'
export {
  PARTITION_READ_UNITS,
  PARTITION_WRITE_UNITS,
  type PartitionCounts,
  partitionCounts,
} from './sizing/partition-limits.js'
export { expectedPartitions, oddsOfAtMost } from './sizing/partition-odds.js'
export { pageReadUnits } from './sizing/read-price.js'
export { type ShardCounts, type ShardDemand, smallestShardCounts } from './sizing/shard-count.js'
export { type ShardedLoad, simulatedOdds } from './sizing/simulated-odds.js'
export type {
  Billing,
  IndexDefinition,
  KeyAttribute,
  KeyDefinition,
  Projection,
  TableDefinition,
  TablePlace,
  Throughput,
  VectorIndexDefinition,
} from './table/table-definition.js'
export { readTables, tablesIn } from './templates/read-tables.js'
export { type LogColumns, type LogOptions, readLog } from './traffic/delimited-log.js'
export { readTrace, type TraceTraffic } from './traffic/trace-traffic.js'
export type { KeyTraffic, TrafficProfile } from './traffic/traffic-profile.js'
