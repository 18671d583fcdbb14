import { type Mode, SINGLE_APPENDS, without } from './mode.js'

/** Far from what a partition takes. */
const PARTITION_WRITE_UNITS = 100
const TABLE_WRITE_UNITS = 8

/**
 * The table has a limit of its own, as `OnDemandThroughput` sets it, and its partitions are far from theirs. More shards do not help, so no
 * key gets any.
 */
export const TABLE_LIMIT: Mode = {
  workloads: SINGLE_APPENDS,
  notPromised: [],
  apply: (drawn) => {
    const settings = without(drawn)
    return {
      ...settings,
      writesPerSecond: Math.max(20, settings.writesPerSecond),
      table: { ...settings.table, readReplicas: 0 },
      engine: {
        ...settings.engine,
        throttles: true,
        partitionWriteUnits: PARTITION_WRITE_UNITS,
        tableWriteUnits: TABLE_WRITE_UNITS,
      },
    }
  },
}
