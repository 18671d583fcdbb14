import type { KeyValue } from '@isotherm/semantics'
import type { ThrottleScope } from '../events/event.js'
import type { LogicalKey } from '../keys/key.js'

/**
 * How more shards spread a read over partitions.
 *
 * - `item`: it reads one item in its one shard, so each shard gets a part of these reads.
 * - `query`: each shard has a part of what it reads, so it takes less of each, if that is not the minimum already.
 */
export type Spread = { readonly by: 'item'; readonly item: KeyValue | undefined } | { readonly by: 'query' }

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
  /** `undefined` if more shards make the read dearer without spreading it. */
  readonly spread: Spread | undefined
}

/** A read of one key that was answered. */
interface AnsweredRead {
  /** Whether an earlier attempt of it was recorded as throttled. */
  readonly wasThrottled: boolean
  /** The number of shards that it read. */
  readonly shards: number
  readonly spread: Spread | undefined
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
