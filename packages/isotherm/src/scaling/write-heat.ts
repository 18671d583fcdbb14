import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'

/** One throttled attempt to write. */
interface RefusedAttempt {
  readonly key: LogicalKey
  readonly shard: number
  /** How many attempts of the call have been throttled, including this one. */
  readonly attempt: number
  readonly units: number
  /** As in a Throttle. */
  readonly reasons: readonly string[]
}

/** Takes note of what the application writes to a table. Units are write units. */
export interface WriteHeat {
  /** The application asked to write. */
  offered(key: LogicalKey, units: number): void
  /** It was written. */
  accepted(key: LogicalKey, units: number): void
  /** Records a throttle and starts the reaction to it. @returns the resource that throttled */
  throttled(refused: RefusedAttempt): Promise<ThrottleScope>
}
