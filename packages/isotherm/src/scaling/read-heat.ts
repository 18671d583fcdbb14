import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'

/** One throttled attempt of a read of one key. */
interface RefusedRead {
  readonly key: LogicalKey
  readonly shard: number
  /** The number of throttled attempts of the request, including this one. */
  readonly attempt: number
  /** The number of shards that this attempt was to read and that throttled it. */
  readonly shards: number
  /** As in a Throttle. */
  readonly reasons: readonly string[]
  /** The index that was queried, if it was not the table. */
  readonly index: string | undefined
}

/** A read of one key that was answered. */
interface AnsweredRead {
  /** Whether an earlier attempt of it was recorded as throttled. */
  readonly wasThrottled: boolean
  /** The number of shards that it read. */
  readonly shards: number
}

/** One throttled attempt of a read of many keys. */
interface RefusedScan {
  readonly attempt: number
  readonly reasons: readonly string[]
  readonly index: string | undefined
}

/** Records the application's reads of a table, in read units. */
export interface ReadHeat {
  /** Records a read that was answered. */
  answered(key: LogicalKey, units: number, read: AnsweredRead): void
  /** Records a throttle. @returns the resource that throttled */
  throttled(refused: RefusedRead): Promise<ThrottleScope>
  /** Records a throttle of a read of many keys. @returns the resource that throttled */
  scanThrottled(refused: RefusedScan): Promise<ThrottleScope>
}

/** A table whose reads are recorded. */
export interface ReadTable {
  readonly readHeat: ReadHeat
}
