/**
 * Every number that decides how partitions behave, in one place. Each comment says whether AWS documents the number or
 * whether it is inferred. All of them are parameters.
 */
export interface CapacityParameters {
  /**
   * How provisioned throughput is distributed to partitions. `adaptive` is the behaviour since 2019: any partition may
   * use all of the throughput, up to its own limit. `classic` is the earlier behaviour: the throughput is divided
   * evenly over the partitions, a split halves the share of each side, and no partition is split for heat. On-demand
   * tables came later and have no shares. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html and, for the earlier
   * model, https://www.usenix.org/conference/atc22/presentation/elhemali
   */
  readonly model: 'adaptive' | 'classic'
  /**
   * Read units per second that one partition delivers. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   */
  readonly partitionReadUnitsPerSecond: number
  /** Write units per second that one partition delivers. Documented, same page. */
  readonly partitionWriteUnitsPerSecond: number
  /**
   * Seconds of its rate that an idle partition may spend at once. Inferred: AWS gives no figure, and public reports
   * agree with a partition bucket that holds more than nothing and less than a few seconds.
   */
  readonly partitionBurstSeconds: number
  /**
   * Seconds of its write rate that an idle partition of a global index may spend at once. Measured by others, once: in
   * April 2024, in Tokyo, a new on-demand table took 2,600 items per second whose index had one key. In the busiest minute
   * the index consumed 116,667 write units of that key, which is 56,667 more than a partition's rate. Reads of indexes, and
   * tables, have `partitionBurstSeconds`.
   */
  readonly indexPartitionBurstSeconds: number
  /**
   * Seconds of unused provisioned throughput that a table or index retains for bursts. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  readonly tableBurstSeconds: number
  /**
   * Seconds of unused on-demand maximum that are retained for bursts. It is documented that bursts may exceed a
   * maximum. It is inferred that they last as long as provisioned ones:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
   */
  readonly onDemandMaximumBurstSeconds: number
  /** Seconds of the account's limit that one on-demand table or index may use at once. Inferred. */
  readonly accountBurstSeconds: number
  /**
   * Partitions of a new on-demand table. Inferred from its documented initial throughput (4,000 write and 12,000 read
   * units per second) and from the 4 units that a scan of an empty table costs:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  readonly onDemandPartitions: number
  /**
   * The multiple of its previous peak that an on-demand table or index can serve. Documented, same page: up to twice
   * the previous peak instantly.
   */
  readonly onDemandHeadroom: number
  /**
   * Seconds until a new peak counts as the previous one and partitions exist for its headroom. Documented, same page:
   * traffic above twice the previous peak may throttle within 30 minutes. Until then only a split for heat helps.
   */
  readonly onDemandGrowthSeconds: number
  /** Seconds over which consumption is averaged to find a peak. Inferred. */
  readonly onDemandPeakSeconds: number
  /**
   * Units per second that an account allows one table or index, separately for reads and writes, provisioned or on
   * demand. Documented default: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
   */
  readonly tableUnitsPerSecond: number
  /**
   * Units per second that an account may provision for all tables and indexes of a region together, separately for
   * reads and writes. Documented default, same page.
   */
  readonly accountUnitsPerSecond: number
  /**
   * How often per UTC day the provisioned throughput of a table or index may be decreased before the next decrease has
   * to wait. Documented, same page.
   */
  readonly decreasesPerDay: number
  /**
   * Seconds between further decreases. Measured by others: counted from the last accepted decrease, not from the hour.
   */
  readonly decreaseIntervalSeconds: number
  /**
   * How often a table may switch from provisioned to on-demand mode within a rolling window. Switching back is always
   * allowed. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-switching-capacity-modes.html
   */
  readonly onDemandSwitches: number
  /** Seconds of that window. Documented, same page. */
  readonly onDemandSwitchSeconds: number
  /**
   * Bytes at which a partition is split in the middle of its data. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.Partitions.html
   */
  readonly partitionBytes: number
  /**
   * Bytes that an item collection may hold in a table with local indexes, including index entries. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
   */
  readonly itemCollectionBytes: number
  /** Share of a partition's rate above which a second counts as hot. Inferred. */
  readonly heatThreshold: number
  /**
   * Hot seconds, minus the cold ones between them, after which a partition is split. Inferred: others measured the
   * first split after 5 to 15 minutes of pressure.
   */
  readonly heatSeconds: number
}

const GIB = 1024 ** 3

/** The defaults of all capacity parameters: the documented or inferred values of DynamoDB. */
export const DEFAULT_CAPACITY: CapacityParameters = {
  model: 'adaptive',
  partitionReadUnitsPerSecond: 3000,
  partitionWriteUnitsPerSecond: 1000,
  partitionBurstSeconds: 1,
  indexPartitionBurstSeconds: 57,
  tableBurstSeconds: 300,
  onDemandMaximumBurstSeconds: 300,
  accountBurstSeconds: 1,
  onDemandPartitions: 4,
  onDemandHeadroom: 2,
  onDemandGrowthSeconds: 1800,
  onDemandPeakSeconds: 60,
  tableUnitsPerSecond: 40_000,
  accountUnitsPerSecond: 80_000,
  decreasesPerDay: 4,
  decreaseIntervalSeconds: 3600,
  onDemandSwitches: 4,
  onDemandSwitchSeconds: 86_400,
  partitionBytes: 10 * GIB,
  itemCollectionBytes: 10 * GIB,
  heatThreshold: 0.9,
  heatSeconds: 300,
}

/**
 * How many partitions provisioned throughput needs, by the formula AWS published before on-demand mode existed: each
 * partition carries 3,000 read and 1,000 write units, added together.
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
 * How many partitions are needed to serve this throughput at once. Reads and writes are limited separately, so the
 * larger need decides: 12,000 reads and 4,000 writes need the 4 partitions of a new on-demand table.
 */
export function warmPartitions(
  throughput: { readonly readUnits: number; readonly writeUnits: number },
  parameters: CapacityParameters,
): number {
  const reads = throughput.readUnits / parameters.partitionReadUnitsPerSecond
  const writes = throughput.writeUnits / parameters.partitionWriteUnitsPerSecond
  return Math.max(1, Math.ceil(Math.max(reads, writes)))
}
