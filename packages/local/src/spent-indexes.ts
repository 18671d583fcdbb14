import type { LocalOptions } from './local.js'

/**
 * Options of an engine whose global indexes have spent what they saved: they throttle the writes of their tables within two
 * seconds of a load above a partition's rate. By default that takes a minute, as it was measured on the service.
 *
 * @example
 * const local = createLocal({ ...SPENT_INDEXES, clock })
 */
export const SPENT_INDEXES = {
  capacity: { indexPartitionBurstSeconds: 1 },
  propagation: { indexQueueUnits: 1_000 },
} as const satisfies LocalOptions
