import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'
import { type CapacityRaise, CapacityRaiser, type CapacityRaiserOptions } from './capacity-raiser.js'

/** Permission to raise a table's provisioned write capacity. */
export interface WriteCapacityRaise extends CapacityRaise {
  readonly kind: 'raise'
  /**
   * The value brings what it takes, so that an application without it does not carry it.
   * @internal
   */
  readonly open: (options: CapacityRaiserOptions) => CapacityRaiser
}

export interface WriteCapacityRaiseOptions {
  /** Write units a second that are never exceeded: the bound of the bill. */
  readonly maxWriteUnits: number
  /** What the present capacity is multiplied by. Default 1.5. */
  readonly factor?: number
  /** Time between two raises by this process. Default `'60s'`. */
  readonly cooldown?: Duration
}

/**
 * Lets the library raise the provisioned write capacity of a table that is too small as a whole, by `UpdateTable`. It never
 * lowers it. The credentials need `dynamodb:DescribeTable` and `dynamodb:UpdateTable`.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example tables: { audit_log: { ..., capacity: raiseWriteCapacity({ maxWriteUnits: 20_000 }) } }
 */
export function raiseWriteCapacity(options: WriteCapacityRaiseOptions): WriteCapacityRaise {
  refuseUnknown('raiseWriteCapacity', options, ['maxWriteUnits', 'factor', 'cooldown'])
  const { maxWriteUnits, factor = 1.5, cooldown = '60s' } = options
  if (!(typeof factor === 'number' && factor > 1 && factor <= 10)) {
    throw invalidOption('raiseWriteCapacity.factor', factor, 'a number above 1 and at most 10')
  }
  return Object.freeze({
    kind: 'raise',
    maxWriteUnits: requireInteger(
      'raiseWriteCapacity.maxWriteUnits',
      maxWriteUnits,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    factor,
    cooldownMilliseconds: parseDuration('raiseWriteCapacity.cooldown', cooldown),
    // By what it is a member of, which may be a copy with something else in it.
    open(this: WriteCapacityRaise, options: CapacityRaiserOptions) {
      return new CapacityRaiser(this, options)
    },
  })
}
