import { invalidOption, refuseUnknown } from '../options/check.js'
import type { SuffixSource } from '../options/sharded-table.js'
import { checkCalculated } from './check-calculated.js'
import { createItem } from './create-item.js'

/**
 * A suffix that the key tells: an item has one place, which reads, updates and conditions go to.
 */
export interface CalculatedSuffix extends SuffixSource {
  /**
   * Whether the other options go with it.
   * @internal
   */
  readonly check: typeof checkCalculated
  /**
   * Creates an item that may have two places.
   * @internal
   */
  readonly create: typeof createItem
}

export interface CalculatedSuffixOptions {
  /** Attributes of the primary key, in this order. Never change them once items are stored. Default: the sort key. */
  readonly from?: readonly string[]
}

/**
 * A suffix calculated from attributes of the primary key, for items that are read, updated or written under conditions
 * one by one.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example tables: { orders: { ..., suffix: calculated({ from: ['order_id'] }), shards: dynamicShards() } }
 */
export function calculated(options: CalculatedSuffixOptions = {}): CalculatedSuffix {
  refuseUnknown('calculated', options, ['from'])
  const { from } = options
  if (from !== undefined && !(Array.isArray(from) && from.length > 0 && from.every(isName))) {
    throw invalidOption('calculated.from', from, 'a list of attribute names of the primary key')
  }
  return Object.freeze({
    kind: 'calculated',
    from: from === undefined ? undefined : Object.freeze([...from]),
    check: checkCalculated,
    create: createItem,
  })
}

/** Whether it is what `calculated` returns. */
export function isCalculated(suffix: unknown): suffix is CalculatedSuffix {
  return Object(suffix).kind === 'calculated'
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== ''
}
