import { NO_FAULTS } from '../../world/faults.js'
import { type Mode, without } from './mode.js'

const PROCESSES = 600

/** All of them together put more than twice what a partition takes, and each of them one item in two seconds. */
const PARTITION_UNITS = 120
const WRITES_PER_SECOND = 300

/**
 * Hundreds of processes, of which each puts next to nothing: a fleet of functions. None of them sees enough throttles to judge by itself,
 * so a hot key gets shards only by what they report to each other.
 */
export const TINY_PROCESSES: Mode = {
  workloads: ['hot-key-ramp'],
  notPromised: [],
  apply: (drawn) => {
    const settings = without(drawn)
    return {
      ...settings,
      processes: PROCESSES,
      usesSdk: false,
      maxAttempts: 4,
      plainShare: 0,
      writesPerSecond: WRITES_PER_SECOND,
      readsPerSecond: 0.5,
      itemBytes: 10,
      operatorMilliseconds: Number.POSITIVE_INFINITY,
      table: {
        ...settings.table,
        initialShards: 1,
        maxShards: 16,
        cacheMilliseconds: 10_000,
        lateMilliseconds: 2_000,
        cooldownMilliseconds: 5_000,
        jitterMilliseconds: [100, 1_000],
        policy: 'proportional',
      },
      engine: {
        ...settings.engine,
        throttles: true,
        partitionWriteUnits: PARTITION_UNITS,
        partitions: 8,
        splits: false,
      },
      faults: { ...NO_FAULTS, delayMilliseconds: 5, latestMilliseconds: 1_900 },
    }
  },
}
