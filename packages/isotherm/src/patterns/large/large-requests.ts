import { refuseUnknown, requireObject } from '../../options/check.js'
import type { Duration } from '../../options/duration.js'
import { type Condition, joinedCondition } from '../conditions/condition.js'
import type { PlainItem } from '../values/plain-item.js'
import type { CollectProgress } from './collect.js'

export interface WriteOptions {
  /** Must hold of the item as it is stored, or nothing is written. */
  readonly condition?: Condition
  readonly signal?: AbortSignal
}

export interface GetOptions {
  /** The attributes to read. Pieces of others are not read. Default: all. */
  readonly attributes?: readonly string[]
  /** Whether the item is read consistently. Default `false`. */
  readonly consistent?: boolean
  readonly signal?: AbortSignal
}

/** A change of attributes that are stored in the item itself. */
export interface LargeUpdate {
  /** New values. */
  readonly set?: PlainItem
  /** Names of attributes that are removed. */
  readonly remove?: readonly string[]
}

export interface CollectOptions {
  /** Contents that were begun or replaced more recently are left alone. Default, and least: twice `writeWithin`. */
  readonly olderThan?: Duration
  /** Ends after so many contents; the next call continues. Default: no bound. */
  readonly maxContents?: number
  readonly onProgress?: (progress: CollectProgress) => void
  readonly signal?: AbortSignal
}

/** The options of a write. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function writeOptions(method: string, options: WriteOptions) {
  refuseUnknown(`large.${method}`, requireObject(`large.${method}`, options, 'an object'), [
    'condition',
    'signal',
  ])
  // A condition that is no condition is refused before the first piece is written.
  joinedCondition(`large.${method}.condition`, options.condition, { expression: '', names: {} })
  return { condition: options.condition, signal: options.signal }
}
