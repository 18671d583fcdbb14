import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'
import type { Throttle } from '../sdk/throttle.js'

/** One attempt to write that was refused. */
interface RefusedAttempt {
  readonly key: LogicalKey
  readonly shard: number
  /** How many attempts of the call have been refused, with this one. */
  readonly attempt: number
  readonly units: number
  readonly throttle: Pick<Throttle, 'reasons'>
}

/** Takes note of what the application writes to a table. Units are write units. */
export interface WriteHeat {
  /** The application asked to write. */
  offered(key: LogicalKey, units: number): void
  /** It was written. */
  accepted(key: LogicalKey, units: number): void
  /** Takes note of a throttle and sets in motion what it calls for. @returns where it came from */
  throttled(refused: RefusedAttempt): Promise<ThrottleScope>
}
