export type { PartitionReport, PartitionSideReport } from './capacity/partition-report.js'
export type { ThrottlingReason } from './capacity/throttled.js'
export type { PartitionEvent } from './catalog/table-assembly.js'
export type { EngineStatistics } from './engine/engine.js'
export { LocalError, type LocalErrorCode } from './errors/local-error.js'
export type { HeatCell } from './heat-history/heat-cell.js'
export type { HeatFrame } from './heat-history/heat-frame.js'
export type { HeatRequest, HeatSpan } from './heat-history/heat-history.js'
export type { HeatLayerParameters, HeatParameters } from './heat-history/heat-parameters.js'
export type { HeatKey, HeatKeyspace } from './heat-history/keyspace-heat.js'
export { createLocal, type Local, type LocalOptions, type LocalTable } from './local.js'
export type { MetricsParameters } from './metrics/metrics-parameters.js'
export type { CapacityParameters } from './partition/capacity-parameters.js'
export { DEFAULT_CAPACITY } from './partition/capacity-parameters.js'
export type { SplitRefusal } from './partition/split-border.js'
export { Trace } from './replay/read-trace.js'
export { parseTableDesigns, type ReplayDesign, type TableDesign } from './replay/replay-design.js'
export type {
  ReplayedBilling,
  ReplayedTable,
  ReplayOptions,
  ReplayReport,
  ReplaySeries,
} from './replay/replay-report.js'
export { replayTrace } from './replay/replay-trace.js'
export type { PartitionFigures, TableFigures } from './replay/traffic.js'
export { type LocalWithEndpoint, type StartOptions, startLocal } from './start-local.js'
export type { Snapshot } from './storage/snapshot.js'
export type { TraceHeader, TraceRequest } from './trace/trace-format.js'
export type { Connection } from './transport/connection.js'
export type { EndpointTimeouts } from './transport/endpoint-timeouts.js'
export type { Endpoint, EndpointOptions, Site } from './transport/http-endpoint.js'
export type { AccessKey } from './transport/signature-check.js'
