export type { Advice, AdviceFinding } from './api/advice.js'
export { askConsole, CONSOLE_PATH, type ConsoleAnswers } from './api/console-api.js'
export {
  API_VERSION,
  CELL,
  CELL_WIDTH,
  type ConsoleCapacity,
  type HeatEvent,
  type HeatMap,
  type HeatMapGrouping,
  type HeatMapRequest,
  type HeatMapRow,
  type HeatMapTotals,
  type ScaledEvent,
} from './api/heat-map.js'
export type { LiveTick, Outage } from './api/live-tick.js'
export type { ConsolePartition, PartitionAccess, PartitionList } from './api/partitions.js'
export type { ProcessHeat, ProcessKey } from './api/process-heat.js'
export type {
  ScenarioDescription,
  ScenarioList,
  ScenarioMode,
  ScenarioParameter,
  ScenarioProgress,
  ScenarioRequest,
  ScenarioResult,
  ScenarioRun,
  ScenarioSeries,
  ScenarioSide,
} from './api/scenarios.js'
export type { ShardChange, ShardedKey, ShardMap, TableCard } from './api/shards.js'
export type { ConsoleTable, TableList } from './api/tables.js'
export { capacityEvent } from './events/capacity-event.js'
export { partitionEvent } from './events/partition-event.js'
export type { ScenarioRunner, ScenarioRunWatch } from './scenarios/scenario-runner.js'
export type { ConsoleErrorCode } from './server/console-error.js'
export {
  type ConsoleSite,
  type ConsoleSiteOptions,
  consoleSite,
} from './server/console-site.js'
export type { CountEntry, StoredReasons, StoredState } from './shard-map/stored-state.js'
export type { StoredCard } from './shard-map/table-card.js'
export type {
  ConsoleSource,
  ShardHistory,
  SourceOffers,
  SourceTable,
  StoredShardMap,
  TableRates,
} from './source/console-source.js'
export { type LocalSourceOptions, localSource } from './source/local-source.js'
