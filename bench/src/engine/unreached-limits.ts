import type { LocalOptions } from '@isotherm/local'

const MANY_UNITS = 1_000_000_000

/**
 * The engine counts and checks the capacity of every request as always, but no request is throttled, because throttled
 * requests are cheaper than the others.
 */
export const UNREACHED_LIMITS: LocalOptions = {
  throttle: true,
  capacity: {
    partitionReadUnitsPerSecond: MANY_UNITS,
    partitionWriteUnitsPerSecond: MANY_UNITS,
    tableUnitsPerSecond: MANY_UNITS,
    accountUnitsPerSecond: MANY_UNITS,
  },
}
