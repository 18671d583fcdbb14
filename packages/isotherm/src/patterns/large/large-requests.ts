import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireObject,
} from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { type Condition, joinedCondition } from '../conditions/condition.js'
import type { PlainItem } from '../values/plain-item.js'
import { toItem } from '../values/to-attribute-value.js'
import type { CollectProgress } from './collect.js'
import type { ParsedLargeOptions } from './large-options.js'

/** Options of `put`, `update` and `delete`. */
export interface WriteOptions {
  /** Must hold of the item as it is stored, or nothing is written. */
  readonly condition?: Condition | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `get`. */
export interface GetOptions {
  /** The attributes to read. Pieces of others are not read. Default: all. */
  readonly attributes?: readonly string[] | undefined
  /** Whether the item is read consistently. Default `false`. */
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** A change of attributes that are stored in the item itself. */
export interface LargeUpdate {
  /** New values. */
  readonly set?: PlainItem | undefined
  /** Names of attributes that are removed. */
  readonly remove?: readonly string[] | undefined
}

/** Options of `collect`. */
export interface CollectOptions {
  /** Contents that were begun or replaced more recently are left alone. Default, and least: twice `writeWithin`. */
  readonly olderThan?: Duration | undefined
  /** Ends after so many contents; the next call continues. Default: no bound. */
  readonly maxContents?: number | undefined
  /** Called after each page of the journal. */
  readonly onProgress?: ((progress: CollectProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const NAMES = 'a list with names of attributes'

/** The options of a write. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function writeOptions(method: string, options: WriteOptions) {
  refuseUnknown(`large.${method}`, requireObject(`large.${method}`, options, 'an object'), [
    'condition',
    'signal',
  ])
  // A condition that is no condition is refused before the first piece is written.
  joinedCondition(`large.${method}.condition`, options.condition, { expression: '', names: {} })
  return { condition: options.condition, signal: signalOf(`large.${method}`, options) }
}

/** The options of a read. @throws IsothermError `options.invalid` or `options.unknown` */
export function getOptions(options: GetOptions) {
  refuseUnknown('large.get', requireObject('large.get', options, 'an object'), [
    'attributes',
    'consistent',
    'signal',
  ])
  const { attributes, consistent = false } = options
  if (attributes !== undefined) requireNames('large.get.attributes', attributes)
  if (attributes?.length === 0) throw invalidOption('large.get.attributes', attributes, NAMES)
  requireBoolean('large.get.consistent', consistent)
  return { attributes, consistent, signal: signalOf('large.get', options) }
}

/** The options of a restoration. @throws IsothermError `options.invalid` or `options.unknown` */
export function restoreOptions(options: { readonly signal?: AbortSignal | undefined }) {
  refuseUnknown('large.restore', requireObject('large.restore', options, 'an object'), ['signal'])
  return { signal: signalOf('large.restore', options) }
}

/** A change, in the form of requests. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function updateOf(change: LargeUpdate) {
  refuseUnknown('large.update', requireObject('large.update', change, 'an object with set or remove'), [
    'set',
    'remove',
  ])
  const remove = change.remove ?? []
  requireNames('large.update.remove', remove)
  return { set: toItem('large.update.set', change.set ?? {}), remove }
}

/** The options of a collection. @throws IsothermError `options.invalid` or `options.unknown` */
export function collectOptions(options: CollectOptions, { writeMilliseconds }: ParsedLargeOptions) {
  refuseUnknown('large.collect', requireObject('large.collect', options, 'an object'), [
    'olderThan',
    'maxContents',
    'onProgress',
    'signal',
  ])
  const least = 2 * writeMilliseconds
  const olderThanMilliseconds = parseDuration('large.collect.olderThan', options.olderThan ?? least)
  if (olderThanMilliseconds < least)
    throw invalidOption(
      'large.collect.olderThan',
      options.olderThan,
      `at least ${least} ms, twice large.writeWithin`,
    )
  const { maxContents, onProgress } = options
  if (maxContents !== undefined)
    requireInteger('large.collect.maxContents', maxContents, 1, Number.MAX_SAFE_INTEGER)
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalidOption('large.collect.onProgress', onProgress, 'a function')
  return {
    olderThanMilliseconds,
    maxContents: maxContents ?? Number.POSITIVE_INFINITY,
    onProgress,
    signal: signalOf('large.collect', options),
  }
}

function requireNames(option: string, names: unknown): void {
  const areNames = Array.isArray(names) && names.every((name) => typeof name === 'string' && name !== '')
  if (!areNames) throw invalidOption(option, names, NAMES)
}

function signalOf(
  method: string,
  { signal }: { readonly signal?: AbortSignal | undefined },
): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal
  throw invalidOption(`${method}.signal`, signal, 'an AbortSignal')
}
