import type { Duration } from '../options/duration.js'
import type { CapacityRaise, CapacityRaiserOptions, WriteCapacityRaise } from './capacity-raise.js'
import { CapacityRaiser } from './capacity-raiser.js'
import { parseRaise } from './parse-raise.js'

/** Options of `raiseWriteCapacity`. */
export interface WriteCapacityRaiseOptions {
  /** The maximum write capacity, in units per second. It limits the cost. */
  readonly maxWriteUnits: number
  /** The factor by which each raise multiplies the current capacity, above 1 and at most 10. Default 1.5. */
  readonly factor?: number | undefined
  /** The minimum time between two raises by this process. Default `'60s'`. */
  readonly cooldown?: Duration | undefined
}

/**
 * Raises the provisioned write capacity of a table when the table as a whole is throttled, which more shards cannot
 * solve. It calls `UpdateTable`, and never lowers the capacity.
 *
 * The credentials need the permissions `dynamodb:DescribeTable` and `dynamodb:UpdateTable`.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example tables: { audit_log: { ..., capacity: raiseWriteCapacity({ maxWriteUnits: 20_000 }) } }
 * @example
 * tables: {
 *   audit_log: {
 *     ...,
 *     capacity: [raiseWriteCapacity({ maxWriteUnits: 20_000 }), raiseReadCapacity({ maxReadUnits: 40_000 })],
 *   },
 * }
 */
export function raiseWriteCapacity(options: WriteCapacityRaiseOptions): WriteCapacityRaise {
  const { maxUnits, ...pace } = parseRaise('raiseWriteCapacity', 'maxWriteUnits', options)
  return Object.freeze({
    kind: 'raise',
    access: 'write',
    maxWriteUnits: maxUnits,
    ...pace,
    open: (raises: readonly CapacityRaise[], opening: CapacityRaiserOptions) =>
      new CapacityRaiser(raises, opening),
  })
}
