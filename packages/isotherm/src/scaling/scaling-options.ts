import type { Shrinking } from './coming-down/parse-shrink.js'
import type { ScalingPolicy } from './policy.js'

/** How the shard counts of a table's keys change. */
export interface ScalingOptions extends Shrinking {
  readonly initial: number
  readonly max: number
  readonly cooldownMilliseconds: number
  readonly jitterMilliseconds: readonly [from: number, to: number]
  readonly policy: ScalingPolicy
  /** `undefined` if counts never fall automatically. */
  readonly quietMilliseconds: number | undefined
  /** `undefined` to use the capacity that the partitions have to spare. */
  readonly drainUnitsPerSecond: number | undefined
  readonly partitionUnitsPerSecond: number
}
