/** One kind of access to a partition. */
export interface PartitionAccess {
  /** Units consumed, and requests throttled, since the partition was created. */
  readonly consumedUnits: number
  readonly throttledRequests: number
  /** Units available now. A negative number is a debt. */
  readonly availableUnits: number
}

/** A physical partition. */
export interface ConsolePartition {
  readonly id: number
  /** The range of hashes, as shares of all hashes, from 0 to 1. */
  readonly from: number
  readonly to: number
  /** `undefined` while unknown, after a restart or a split. */
  readonly bytes?: number
  readonly write: PartitionAccess
  readonly read: PartitionAccess
}

/** The partitions of a table or an index, in the order of their hashes. */
export interface PartitionList {
  readonly version: 1
  readonly now: number
  /** What one partition serves in a second, in units. */
  readonly limit: { readonly writes: number; readonly reads: number }
  readonly partitions: readonly ConsolePartition[]
}
