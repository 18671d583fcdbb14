export type { Clock, Random, SleepOptions } from '@isotherm/runtime'
export {
  type AdoptCheckOptions,
  type AdoptReport,
  type AmbiguousKey,
  adoptCheck,
} from './adopting/adopt-check.js'
export type { Misfit, MisfitReason } from './adopting/scheme-census.js'
export type { TableTraits } from './adopting/table-traits.js'
export { type BackfillIndexesOptions, backfillIndexes } from './client/backfill-indexes.js'
export type { ExplainedRequest } from './client/explain.js'
export { checkHandMade, type HandMadeCheckOptions, type HandMadeReport } from './client/hand-made-check.js'
export { isotherm } from './client/isotherm.js'
export type { HeatOptions, IndexShardsOptions, IsothermMethods } from './client/isotherm-methods.js'
export type {
  IndexedTableOptions,
  IsothermOptions,
  ShardedTableOptions,
  ShardMapOption,
} from './client/options.js'
export { type OptionsOnCardRequest, optionsOnCard } from './client/options-on-card.js'
export { type RebuildShardMapOptions, rebuildShardMap } from './client/rebuild-shard-map.js'
export type { SdkClient } from './client/sharded-client.js'
export { type UnshardTableOptions, unshardTable } from './client/unshard-table.js'
export { IsothermError, type IsothermErrorCode, type IsothermErrorDetails } from './errors/isotherm-error.js'
export type { Access, DrainEvent, IsothermEvent, ScalingReason, ThrottleScope } from './events/event.js'
export type { BackfillProgress } from './indexes/backfill.js'
export type { IndexKeyShards, IndexKeyShardsState } from './indexes/index-key-shards.js'
export type { CoveringIndexOptions, ShardedIndexOptions, TableIndexOptions } from './indexes/index-options.js'
export type { ParsedKey } from './keys/function-names.js'
export type { Duration } from './options/duration.js'
export type { KeyOptions } from './options/key-options.js'
export {
  type EnsureShardMapOptions,
  ensureShardMap,
  type SecondLevelCacheOptions,
  type ShardMapCache,
} from './protocol/index.js'
export type { RebuildProgress, RebuildReport } from './rebuilding/rebuild-report.js'
export type { UnexplainedItem } from './rebuilding/unexplained-items.js'
export type { CapacityRaise, ReadCapacityRaise, WriteCapacityRaise } from './scaling/capacity-raise.js'
export type { ShrinkRule } from './scaling/coming-down/parse-shrink.js'
export type { ShrinkPrice } from './scaling/coming-down/shrink-price.js'
export type { DriveOutcome } from './scaling/count-driver.js'
export type { PassProgress } from './scaling/drain-pass.js'
export { growByReads, type ReadGrowth, type ReadGrowthOptions } from './scaling/grow-by-reads.js'
export type { DrainOptions, KeyShards, KeyShardsState, PriceOfShardsOptions } from './scaling/key-shards.js'
export type { InitialPassProgress } from './scaling/migrating/initial-pass.js'
export type { MigrateOptions, MigrationProgress, MigrationResult } from './scaling/migrating/migrate.js'
export type { MigrationPrice } from './scaling/migrating/migration-price.js'
export {
  doubling,
  incrementBy,
  proportional,
  type ScalingEvidence,
  type ScalingPolicy,
} from './scaling/policy.js'
export { type ReadCapacityRaiseOptions, raiseReadCapacity } from './scaling/raise-read-capacity.js'
export { raiseWriteCapacity, type WriteCapacityRaiseOptions } from './scaling/raise-write-capacity.js'
export type { HottestKeyHeat, LogicalKeyHeat, TableHeat } from './scaling/sensing/table-heat.js'
export type { TableMetrics, TableUsage, TableUsageRequest } from './scaling/sensing/table-usage.js'
export {
  type DynamicShards,
  type DynamicShardsOptions,
  dynamicShards,
  type FixedShards,
  fixedShards,
} from './scaling/shards.js'
export type { AnyCommand } from './sdk/physical-client.js'
export { type LogicalRecord, type LogicalRecordOptions, logicalRecord } from './streams/logical-record.js'
export type { RecordCause } from './streams/record-cause.js'
export type { StreamImage, StreamRecord } from './streams/stream-record.js'
export type { MirrorProgress } from './unsharding/mirror-items.js'
export { type CalculatedSuffix, type CalculatedSuffixOptions, calculated } from './writes/calculated.js'
export { type HandMade, handMade } from './writes/hand-made.js'
export type {
  FormattedShards,
  HandMadeOptions,
  HandMadeScheme,
  LabelledShards,
  ListedShards,
  NumberedShards,
} from './writes/hand-made-options.js'
export type { HandMadeItem, ShardOf } from './writes/own-place.js'
