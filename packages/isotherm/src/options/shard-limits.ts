import { requireInteger } from './check.js'

/**
 * The maximum number of shards of a logical key. A thousand shards carry a million write units per second, and a query
 * reads every one of them. So a larger number in the options is a mistake, and in a cursor a forgery.
 */
export const MAX_SHARDS = 1_000

/** Higher rates of moves are rejected as mistakes. */
const MAX_DRAIN_UNITS_PER_SECOND = 10_000

/** At lower rates, a page takes so long that other processes would consider the drain abandoned. */
const MIN_DRAIN_UNITS_PER_SECOND = 10

/** @throws IsothermError `options.invalid` */
export function requireDrainRate(option: string, value: number): number
export function requireDrainRate(option: string, value: number | undefined): number | undefined
export function requireDrainRate(option: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined
  return requireInteger(option, value, MIN_DRAIN_UNITS_PER_SECOND, MAX_DRAIN_UNITS_PER_SECOND)
}
