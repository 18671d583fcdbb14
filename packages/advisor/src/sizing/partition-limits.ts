/** What one partition delivers: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
export const PARTITION_WRITE_UNITS = 1_000
/** Read units a second of one partition, from the same page. */
export const PARTITION_READ_UNITS = 3_000
const PARTITION_GB = 10
/** A new on-demand table serves 4,000 writes and 12,000 reads a second at once. */
export const NEW_ON_DEMAND_PARTITIONS = 4

/** How many partitions throughput and data need. */
export interface PartitionCounts {
  /** By the formula that AWS published until 2018: reads and writes added. */
  readonly byOldFormula: number
  /** For the throughput to be served at once, as warm throughput is: reads and writes separately. */
  readonly byThroughput: number
  /** For the data. */
  readonly bySize: number
  readonly needed: number
}

/**
 * @example
 * partitionCounts({ writeUnits: 2_600, readUnits: 900, storedGb: 35 }).needed // 4
 */
export function partitionCounts(used: {
  readonly writeUnits: number
  readonly readUnits: number
  readonly storedGb?: number
}): PartitionCounts {
  const [writes, reads] = [used.writeUnits / PARTITION_WRITE_UNITS, used.readUnits / PARTITION_READ_UNITS]
  const bySize = Math.max(1, Math.ceil((used.storedGb ?? 0) / PARTITION_GB))
  const byThroughput = Math.max(1, Math.ceil(Math.max(writes, reads)))
  return {
    byOldFormula: Math.max(bySize, Math.ceil(writes + reads)),
    byThroughput,
    bySize,
    needed: Math.max(bySize, byThroughput),
  }
}
