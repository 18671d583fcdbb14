export type { CapacityParameters } from './capacity/capacity-parameters.js'
export { DEFAULT_CAPACITY } from './capacity/capacity-parameters.js'
export type { ThrottlingReason } from './capacity/throttled.js'
export type { EngineStatistics } from './engine/engine.js'
export { createLocal, type Local, type LocalOptions } from './local.js'
export { LocalError, type LocalErrorCode } from './local-error.js'
export type { MetricsParameters } from './metrics/metrics-parameters.js'
export type { SplitRefusal } from './partition/split-border.js'
export { parseTableDesigns, type ReplayDesign, type TableDesign } from './replay/replay-design.js'
export {
  type ReplayedTable,
  type ReplayOptions,
  type ReplayReport,
  replayTrace,
} from './replay/replay-trace.js'
export type { PartitionFigures, TableFigures } from './replay/traffic.js'
export { type LocalWithEndpoint, type StartOptions, startLocal } from './start-local.js'
export type { Snapshot } from './storage/snapshot.js'
export type { PartitionEvent } from './table/catalog.js'
export type { PartitionReport, PartitionSideReport } from './table/partition-report.js'
export type { Connection } from './transport/connection.js'
export type { EndpointTimeouts } from './transport/endpoint-timeouts.js'
export type { Endpoint, EndpointOptions } from './transport/http-endpoint.js'
export type { AccessKey } from './transport/signature-check.js'
