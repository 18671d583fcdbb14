/**
 * Every number by which partitions behave, in one place. What AWS documents is marked so; what it does not is inferred,
 * and therefore a parameter that anyone can change.
 */
export interface CapacityParameters {
  /**
   * How provisioned throughput reaches partitions. `adaptive`, as since 2019: any partition may use all of it, up to its
   * own limit. `classic`, as before: it is divided evenly over the partitions, a cut halves the share of each side, and
   * nothing is cut for heat. On-demand tables came later and know no shares. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html and, of the older model,
   * https://www.usenix.org/conference/atc22/presentation/elhemali
   */
  readonly model: 'adaptive' | 'classic'
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
   * Seconds of an on-demand maximum that are kept when they are unused. That bursts may exceed a maximum is documented;
   * that they are as long as provisioned ones is inferred:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
   */
  readonly onDemandMaximumBurstSeconds: number
  /** Seconds of the account's limit that one on-demand table or index may use at once. Inferred. */
  readonly accountBurstSeconds: number
  /**
   * Partitions of a new on-demand table. Inferred from its documented initial throughput, 4,000 writes and 12,000 reads
   * a second, and from the 4 units that a scan of an empty one costs:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
   */
  readonly onDemandPartitions: number
  /**
   * How many times its previous peak an on-demand table or index is made able to serve. Documented, same page: up to
   * twice the previous peak at once.
   */
  readonly onDemandHeadroom: number
  /**
   * Seconds until a new peak counts as the previous one, and there are partitions for its headroom. Documented, same page:
   * more than twice the previous peak may throttle within 30 minutes. Until then only a split for heat helps.
   */
  readonly onDemandGrowthSeconds: number
  /** Seconds over which consumption is averaged to find a peak. Inferred. */
  readonly onDemandPeakSeconds: number
  /**
   * Units a second that an account lets one table or index have, reads and writes apart, whether provisioned or on
   * demand. Documented default:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
   */
  readonly tableUnitsPerSecond: number
  /**
   * Units a second that an account may provision in all tables and indexes of a region together, reads and writes apart.
   * Documented default, same page.
   */
  readonly accountUnitsPerSecond: number
  /**
   * How often a table's or an index's provisioned throughput may be decreased in a day of UTC before the next decrease has
   * to wait. Documented, same page.
   */
  readonly decreasesPerDay: number
  /** Seconds between decreases after that. Measured by others: since the last accepted one, not by the clock's hour. */
  readonly decreaseIntervalSeconds: number
  /**
   * How often a table may be switched from provisioned to on-demand mode within a window that rolls; back is always
   * allowed. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-switching-capacity-modes.html
   */
  readonly onDemandSwitches: number
  /** Seconds of that window. Documented, same page. */
  readonly onDemandSwitchSeconds: number
  /**
   * Bytes at which a partition is cut in the middle of what it holds. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.Partitions.html
   */
  readonly partitionBytes: number
  /**
   * Bytes that an item collection may hold in a table with local indexes, their entries included. Documented:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html
   */
  readonly itemCollectionBytes: number
  /** Share of a partition's rate from which a second counts as hot. Inferred. */
  readonly heatThreshold: number
  /**
   * Hot seconds, less the cold ones between them, after which a partition is split. Inferred: others measured the first
   * split after 5 to 15 minutes of pressure.
   */
  readonly heatSeconds: number
}

const GIB = 1024 ** 3

export const DEFAULT_CAPACITY: CapacityParameters = {
  model: 'adaptive',
  partitionReadUnitsPerSecond: 3000,
  partitionWriteUnitsPerSecond: 1000,
  partitionBurstSeconds: 1,
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
