export { drawBehaviourChart } from './behaviours/behaviour-chart.js'
export type { BehaviourRun } from './behaviours/behaviour-run.js'
export { runBehaviours } from './behaviours/behaviour-runs.js'
export { SCALE, SEED } from './catalog/common-parameters.js'
export { HOT_FILE_SHARDING, HOT_FILE_WORKLOAD } from './catalog/hot-file-parameters.js'
export { hotFileProgress, hotFileResult } from './catalog/hot-file-result.js'
export { hotFileSettings } from './catalog/hot-file-scenario.js'
export type { ComparedWays } from './catalog/pattern-scenario.js'
export type {
  Scenario,
  ScenarioParameter,
  ScenarioProgress,
  ScenarioResult,
  ScenarioSeries,
  ScenarioSide,
  ScenarioValues,
  ScenarioWatch,
} from './catalog/scenario.js'
export { PATTERNS, SCENARIOS } from './catalog/scenarios.js'
export { chartDocument } from './chart/chart-document.js'
export { axisEnd, bySecond, drawPlot, withThousands } from './chart/plot.js'
export { element, label } from './chart/svg.js'
export {
  type AccessLog,
  type AccessRequest,
  parseAccessLog,
  readAccessLog,
  sampleLogPath,
} from './hot-file/access-log.js'
export { drawHotFileChart } from './hot-file/chart.js'
export {
  DEFAULT_TABLE_PREFIX,
  HotFileRun,
  type HotFileSettings,
  type HotFileSurroundings,
} from './hot-file/hot-file-run.js'
export type { SecondsSeries, ShardChange, WriteTotals } from './hot-file/measurements.js'
export { perCent } from './hot-file/per-cent.js'
export type { HotFilePhase, HotFileProgress, StrategyProgress } from './hot-file/progress.js'
export { PAGE_ITEMS, type ReadBack } from './hot-file/read-back.js'
export { type Rehearsal, type RehearseStrategy, rehearseHotFile } from './hot-file/rehearse.js'
export type { HotFileReport, StrategyReport } from './hot-file/report.js'
export { DEFAULT_SHARDING, MAX_SHARDS, type ShardingParameters } from './hot-file/sharding-parameters.js'
export { STRATEGIES, type StrategyName } from './hot-file/strategy.js'
export { isSound, type TrailVerdict } from './hot-file/trail-check.js'
export {
  DEFAULT_WORKLOAD,
  totalSeconds,
  WORKLOAD_BOUNDS,
  type WorkloadParameters,
} from './hot-file/workload-parameters.js'
export type { PatternReport } from './patterns/pattern-report.js'
export { ScenarioError, type ScenarioErrorCode } from './scenario-error.js'
