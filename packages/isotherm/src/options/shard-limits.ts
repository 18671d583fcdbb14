import { requireInteger } from './check.js'

/**
 * The most shards a logical key may have. A thousand shards carry a million write units a second, and a query asks every
 * one of them, so a larger number is taken for a mistake, and in a cursor for a forgery.
 */
export const MAX_SHARDS = 1_000

/** From which rate of moves on it is taken for a mistake. */
const MAX_DRAIN_UNITS_PER_SECOND = 10_000

/** Slower than this, a page takes so long that others would think nobody is at work. */
const MIN_DRAIN_UNITS_PER_SECOND = 10

/** @throws IsothermError `options.invalid` */
export function requireDrainRate(option: string, value: unknown): number {
  return requireInteger(option, value, MIN_DRAIN_UNITS_PER_SECOND, MAX_DRAIN_UNITS_PER_SECOND)
}
