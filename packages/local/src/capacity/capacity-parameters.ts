/**
 * Every number by which partitions behave, in one place. What AWS documents is marked so; what it does not is inferred,
 * and therefore a parameter that anyone can change.
 */
export interface CapacityParameters {
  /**
   * Read units a second that one partition delivers. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   */
  readonly partitionReadUnitsPerSecond: number
  /** Write units a second that one partition delivers. Documented, same page. */
  readonly partitionWriteUnitsPerSecond: number
  /**
   * Seconds of its rate that an idle partition may spend at once. Inferred: that a partition's own bucket is deeper than
   * nothing and shallower than a few seconds agrees with public reports; AWS gives no figure.
   */
  readonly partitionBurstSeconds: number
  /**
   * Seconds of unused provisioned throughput that a table or index keeps. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  readonly tableBurstSeconds: number
  /**
   * Partitions of a new on-demand table. Inferred from its documented initial throughput, 4,000 writes and 12,000 reads
   * a second, and from the 4 units that a scan of an empty one costs:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  readonly onDemandPartitions: number
  /**
   * Units a second that an account lets one table or index have, reads and writes apart, whether provisioned or on
   * demand. Documented default:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
   */
  readonly tableUnitsPerSecond: number
  /**
   * Bytes that an item collection may hold in a table with local indexes, their entries included. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
   */
  readonly itemCollectionBytes: number
  /** Share of a partition's rate from which a second counts as hot. Inferred. */
  readonly heatThreshold: number
  /**
   * Hot seconds in a row after which a partition is split. Inferred: others measured the first split after 5 to 15
   * minutes of pressure.
   */
  readonly heatSeconds: number
}

export const DEFAULT_CAPACITY: CapacityParameters = {
  partitionReadUnitsPerSecond: 3000,
  partitionWriteUnitsPerSecond: 1000,
  partitionBurstSeconds: 1,
  tableBurstSeconds: 300,
  onDemandPartitions: 4,
  tableUnitsPerSecond: 40_000,
  itemCollectionBytes: 10 * 1024 ** 3,
  heatThreshold: 0.9,
  heatSeconds: 300,
}

/**
 * How many partitions provisioned throughput asks for, by the formula AWS published before on-demand mode existed:
 * each partition carries 3,000 read and 1,000 write units, taken together.
 */
export function provisionedPartitions(
  throughput: { readonly readUnits: number; readonly writeUnits: number },
  parameters: CapacityParameters,
): number {
  const reads = throughput.readUnits / parameters.partitionReadUnitsPerSecond
  const writes = throughput.writeUnits / parameters.partitionWriteUnitsPerSecond
  return Math.max(1, Math.ceil(reads + writes))
}

/**
 * How many partitions it takes to serve this much at once. Reads and writes are limited apart, so the larger need
 * decides: 12,000 reads and 4,000 writes are the 4 partitions of a new on-demand table.
 */
export function warmPartitions(
  throughput: { readonly readUnits: number; readonly writeUnits: number },
  parameters: CapacityParameters,
): number {
  const reads = throughput.readUnits / parameters.partitionReadUnitsPerSecond
  const writes = throughput.writeUnits / parameters.partitionWriteUnitsPerSecond
  return Math.max(1, Math.ceil(Math.max(reads, writes)))
}
