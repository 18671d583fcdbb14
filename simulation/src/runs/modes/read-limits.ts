import { randomInteger } from '@isotherm/runtime'
import { type Mode, SINGLE_APPENDS, without } from './mode.js'

/** Of a partition: a page of a query takes a good part of a second's. */
const PARTITION_READ_UNITS = [100, 150, 200] as const

/** So that the shard map is read seldom: what watches the service reads it, too. */
const CACHE_MILLISECONDS = 3_000
const MOST_PROCESSES = 4

/**
 * Partitions refuse reads that are more than they take, and leave a part of a batch unread. In other runs reads are refused by chance,
 * each of them whole.
 */
export const READ_LIMITS: Mode = {
  workloads: [...SINGLE_APPENDS, 'kept-appends', 'shared-items', 'transfers'],
  notPromised: [],
  apply: (drawn, random) => {
    const settings = without(drawn)
    const at = randomInteger(random, 0, PARTITION_READ_UNITS.length - 1)
    return {
      ...settings,
      processes: Math.min(MOST_PROCESSES, settings.processes),
      readsPerSecond: 5,
      itemsPerKey: 10,
      itemBytes: 1_500,
      table: {
        ...settings.table,
        readReplicas: 0,
        cacheMilliseconds: Math.max(CACHE_MILLISECONDS, settings.table.cacheMilliseconds),
      },
      engine: {
        ...settings.engine,
        throttles: true,
        partitionReadUnits: PARTITION_READ_UNITS[at] ?? PARTITION_READ_UNITS[0],
        partitionWriteUnits: 1_000,
        partitions: 8,
      },
      faults: { ...settings.faults, throttledReads: 0 },
    }
  },
}
