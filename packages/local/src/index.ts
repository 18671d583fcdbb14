export {
  type Clock,
  type Random,
  SeededRandom,
  type SleepOptions,
  SystemClock,
  VirtualClock,
} from '@isotherm/runtime'
export type { AllowedCapacity, CapacityChange } from './capacity/capacity-change.js'
export type { ControlPlaneLimits } from './capacity/control-plane-limits.js'
export type { KeptCapacity } from './capacity/keyspace-capacity.js'
export type { KeptPeaks, Peak } from './capacity/on-demand-growth.js'
export type { PartitionReport, PartitionSideReport } from './capacity/partition-report.js'
export type { Refusal, Take } from './capacity/request-account.js'
export type { ThrottlingReason } from './capacity/throttled.js'
export type { BillingMode } from './capacity/throughput.js'
export type { ControlPlaneDelayOptions, ControlPlaneDelays } from './catalog/control-plane-delays.js'
export type { CapacityEvent, PartitionEvent } from './catalog/table-assembly.js'
export type { EngineStatistics } from './engine/engine.js'
export type { EngineSettings } from './engine/engine-settings.js'
export { LocalError, type LocalErrorCode } from './errors/local-error.js'
export type { HeatCell } from './heat-history/heat-cell.js'
export type { HeatFrame } from './heat-history/heat-frame.js'
export type { HeatRequest, HeatSpan } from './heat-history/heat-history.js'
export type { HeatLayerParameters, HeatParameters } from './heat-history/heat-parameters.js'
export type { HeatKey, HeatKeyspace } from './heat-history/keyspace-heat.js'
export type { EncodedKey } from './keyspace/encoded-key.js'
export { createLocal, type Local, type LocalOptions, type LocalTable } from './local.js'
export type { MetricsParameters } from './metrics/metrics-parameters.js'
export type { CapacityParameters } from './partition/capacity-parameters.js'
export { DEFAULT_CAPACITY } from './partition/capacity-parameters.js'
export type { AccessKind } from './partition/partition.js'
export type { SplitCause, SplitEvent } from './partition/partition-map.js'
export type { SplitRefusal } from './partition/split-border.js'
export { Trace } from './replay/read-trace.js'
export { parseTableDesigns, type ReplayDesign, type TableDesign } from './replay/replay-design.js'
export type {
  ReplayedBilling,
  ReplayedTable,
  ReplayOptions,
  ReplayProgress,
  ReplayReport,
  ReplaySeries,
} from './replay/replay-report.js'
export { replayTrace } from './replay/replay-trace.js'
export type { PartitionFigures, TableFigures } from './replay/traffic.js'
export type { DirectoryReport, TableTally } from './salvage/directory-report.js'
export { salvageDirectory } from './salvage/salvage-directory.js'
export { verifyDirectory } from './salvage/verify-directory.js'
export { SPENT_INDEXES } from './spent-indexes.js'
export { type LocalWithEndpoint, type StartOptions, startLocal } from './start-local.js'
export type { Snapshot } from './storage/snapshot.js'
export type { StreamParameters } from './stream/stream-parameters.js'
export type { PropagationParameters } from './table/index-queue.js'
export type { SetupPartitions, SetupRequest, TraceHeader, TraceRequest } from './trace/trace-format.js'
export type { Connection, RequestHandler } from './transport/connection.js'
export type { EndpointTimeouts } from './transport/endpoint-timeouts.js'
export type { Endpoint, EndpointOptions, Site } from './transport/http-endpoint.js'
export type { AccessKey } from './transport/signature-check.js'
