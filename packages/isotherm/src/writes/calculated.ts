import type { ItemKey } from '../keys/item-key.js'
import { invalidOption, refuseUnknown } from '../options/check.js'
import type { ShardedTable, StoredKey, SuffixSource } from '../options/sharded-table.js'
import { fixedView, placementIn } from '../protocol/index.js'
import { checkCalculated } from './check-calculated.js'
import { createItem } from './create-item.js'
import { isHotAt, moveOnce, moveOnWrite } from './move-on-write.js'

/** A suffix that is calculated from the key: an item has one shard, to which reads, updates and conditions go. */
export interface CalculatedSuffix extends SuffixSource {
  /**
   * Checks that the other options are compatible.
   * @internal
   */
  readonly check: typeof checkCalculated
  /**
   * Creates an item that may be in two shards.
   * @internal
   */
  readonly create: typeof createItem
  /**
   * Moves an item that a write has found at an old place, if that place is hot.
   * @internal
   */
  readonly move: typeof moveOnWrite
  /**
   * Whether a write should move an item that it has found in a shard.
   * @internal
   */
  readonly isHotAt: typeof isHotAt
  /**
   * Moves an item from a shard where it was found.
   * @internal
   */
  readonly moveItem: typeof moveOnce
}

/** Options of `calculated`. */
export interface CalculatedSuffixOptions {
  /**
   * The attributes of the primary key from which the shard is calculated, in this order. Never change them after items
   * are stored. The default is the sort key.
   */
  readonly from?: readonly string[] | undefined
}

/**
 * Calculates the suffix from attributes of the primary key. Use it for items that are individually read, updated, or
 * written with conditions.
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
    placeOf: (table: ShardedTable, key: StoredKey, shards: number) =>
      placementIn({ options: table }).home(fixedView(shards), key as ItemKey),
    from: from === undefined ? undefined : Object.freeze([...from]),
    check: checkCalculated,
    create: createItem,
    move: moveOnWrite,
    isHotAt,
    moveItem: moveOnce,
  })
}

/** Whether the value is a result of `calculated`. */
export function isCalculated(suffix: unknown): suffix is CalculatedSuffix {
  return Object(suffix).kind === 'calculated'
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== ''
}
