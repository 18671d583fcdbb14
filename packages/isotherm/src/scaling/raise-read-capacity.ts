import type { Duration } from '../options/duration.js'
import type { CapacityRaise, CapacityRaiserOptions, ReadCapacityRaise } from './capacity-raise.js'
import { CapacityRaiser } from './capacity-raiser.js'
import { parseRaise } from './parse-raise.js'

/** Options of `raiseReadCapacity`. */
export interface ReadCapacityRaiseOptions {
  /** The maximum read capacity, in units per second. It limits the cost. */
  readonly maxReadUnits: number
  /** The factor by which each raise multiplies the current capacity, above 1 and at most 10. Default 1.5. */
  readonly factor?: number | undefined
  /** The minimum time between two raises by this process. Default `'60s'`. */
  readonly cooldown?: Duration | undefined
}

/**
 * Raises the provisioned read capacity of a table when reads are throttled by the table as a whole, scans included. It
 * calls `UpdateTable`, and never lowers the capacity. The capacity of global indexes is not raised.
 *
 * The credentials need the permissions `dynamodb:DescribeTable` and `dynamodb:UpdateTable`.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example tables: { audit_log: { ..., capacity: raiseReadCapacity({ maxReadUnits: 40_000 }) } }
 */
export function raiseReadCapacity(options: ReadCapacityRaiseOptions): ReadCapacityRaise {
  const { maxUnits, ...pace } = parseRaise('raiseReadCapacity', 'maxReadUnits', options)
  return Object.freeze({
    kind: 'raise',
    access: 'read',
    maxReadUnits: maxUnits,
    ...pace,
    open: (raises: readonly CapacityRaise[], opening: CapacityRaiserOptions) =>
      new CapacityRaiser(raises, opening),
  })
}
