import type { ScalingPolicy } from './policy.js'

/** How the counts of a table's keys change. */
export interface ScalingOptions {
  readonly initial: number
  readonly max: number
  readonly cooldownMilliseconds: number
  readonly jitterMilliseconds: readonly [from: number, to: number]
  readonly policy: ScalingPolicy
  /** `undefined`: a count never falls by itself. */
  readonly quietMilliseconds: number | undefined
  readonly drainUnitsPerSecond: number
  readonly partitionUnitsPerSecond: number
}
