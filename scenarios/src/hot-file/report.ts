import type { SecondsSeries, ShardChange, WriteTotals } from './measurements.js'
import type { ReadBack } from './read-back.js'
import type { ShardingParameters } from './sharding-parameters.js'
import type { StrategyName } from './strategy.js'
import type { WorkloadParameters } from './workload-parameters.js'

/** The figures of one strategy. "After the ramp" means from the second when the viral traffic peaks to the last one. */
export interface StrategyReport extends WriteTotals {
  readonly strategy: StrategyName
  readonly title: string
  readonly table: string
  /** Acknowledged writes a second after the ramp. */
  readonly acceptedPerSecond: number
  /** Throttled attempts a second after the ramp. */
  readonly throttledPerSecond: number
  /** Throttled attempts / (accepted writes + throttled attempts) after the ramp, 0 to 1. */
  readonly throttledShareAfterRamp: number
  /** Acknowledged writes of the viral file a second after the ramp. */
  readonly viralFileAcceptedPerSecond: number
  readonly shardsFinal: number
  /** Shards of the viral file, including the initial count. */
  readonly shardChanges: readonly ShardChange[]
  readonly readBack: ReadBack
  readonly series: SecondsSeries
  /** How long after its time the latest write was sent. The machine was too slow for the load if that is much. */
  readonly latestMilliseconds: number
  /** The first error other than throttling, if there was one. */
  readonly firstFailure: string | undefined
}

/** The figures of a run. */
export interface HotFileReport {
  readonly viralPath: string
  readonly seed: number
  readonly workload: WorkloadParameters
  readonly sharding: ShardingParameters
  /** Writes a second that the workload asked for after the ramp. */
  readonly offeredPerSecond: number
  readonly runs: readonly StrategyReport[]
}
