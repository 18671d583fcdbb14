import type { KeyValue } from '@isotherm/semantics'
import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'

/** One throttled attempt of a write. */
interface RefusedAttempt {
  readonly key: LogicalKey
  readonly shard: number
  /** The number of throttled attempts of the call, including this one. */
  readonly attempt: number
  readonly units: number
  /** The sort key of the item, if the table has one. */
  readonly item: KeyValue | undefined
  /** As in a Throttle. */
  readonly reasons: readonly string[]
}

/** Records the application's writes to a table, in write units. */
export interface WriteHeat {
  /** Records a requested write. */
  offered(key: LogicalKey, units: number): void
  /** Records a successful write. */
  accepted(key: LogicalKey, units: number): void
  /** Records a throttle and starts the reaction to it. @returns the resource that throttled */
  throttled(refused: RefusedAttempt): Promise<ThrottleScope>
}
