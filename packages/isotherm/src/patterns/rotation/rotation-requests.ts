import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireObject,
} from '../../options/check.js'
import { type Condition, requestCondition } from '../conditions/condition.js'
import { requireValidCondition } from '../conditions/require-valid-condition.js'
import type { ObjectStore } from '../object-store/object-store.js'
import { requireObjectStore } from '../object-store/require-object-store.js'
import type { PlainItem, PlainValue } from '../values/plain-item.js'
import { requireKeyType } from '../values/require-key-type.js'
import { requireKeyValue } from '../values/require-key-value.js'
import { toAttributeValue } from '../values/to-attribute-value.js'
import type { ArchiveReport } from './archive-period.js'
import type { PeriodState } from './catalog.js'
import { hasDate, parseDate } from './iso-dates.js'
import type { RangeQuery } from './query-range.js'
import type { ParsedRotationOptions } from './rotation-options.js'

const MAX_LIMIT = 10_000

/**
 * A moment: a `Date`, milliseconds since the Unix epoch, or a date or timestamp in ISO 8601, such as `2026-11-23` and
 * `2026-11-23T06:00:00Z`. It is in UTC if it has no zone.
 */
export type Moment = Date | number | string

/** Options of `put` and `delete`. */
export interface ItemOptions {
  /** Must hold of the item as it is stored, or nothing is written. */
  readonly condition?: Condition | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `query`. */
export interface QueryOptions {
  /** Value of the partition key. */
  readonly key: PlainValue
  /** The range begins here. */
  readonly from: Moment
  /** The range ends before this. */
  readonly to: Moment
  /** Whether the oldest item comes first. Default `true`. */
  readonly forward?: boolean | undefined
  /** Items of a page. Default 100. */
  readonly limit?: number | undefined
  /** Default `false`. */
  readonly consistent?: boolean | undefined
  /** Items that do not pass are left out. */
  readonly filter?: Condition | undefined
  /** Leaves periods out whose table was dropped. Default `false`: they are an error. */
  readonly skipDropped?: boolean | undefined
  /** Of the page before. */
  readonly cursor?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A page of a query. */
export interface RotationPage {
  readonly items: readonly PlainItem[]
  /** Continues the query. A page without a cursor is the last one. */
  readonly cursor?: string
}

/** Options of `archive`, `verify`, `drop` and `readArchive`. */
export interface ArchiveOptions {
  /** Where the archive goes: `directoryStore`, `s3Store`, or your own. */
  readonly store: ObjectStore
  /** Called after each object that was written or read. */
  readonly onProgress?: ((report: ArchiveReport) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What became of a period. */
export interface PeriodReport {
  readonly label: string
  readonly table: string
  readonly from: Date
  readonly to: Date
  readonly state: PeriodState
  /** Of its archive, if there is one. */
  readonly archivedItems: number | undefined
}

/** What `maintain` has done. */
export interface MaintainReport {
  /** Tables whose provisioned capacity was lowered. */
  readonly lowered: readonly string[]
}

/** The options of a write, in the form of requests. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function itemOptions(method: string, options: ItemOptions) {
  const place = `rotation.${method}`
  refuseUnknown(place, requireObject(place, options, 'an object'), ['condition', 'signal'])
  const condition = requestCondition(`${place}.condition`, options.condition)
  // Before the table of the period is created.
  requireValidCondition(`${place}.condition`, condition)
  const { expression, names, values } = condition
  const request = {
    ...(expression === undefined ? {} : { ConditionExpression: expression }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  }
  return { request, sending: sendingOf(place, options.signal) }
}

/** The options of a read of one item, in the form of requests. @throws IsothermError `options.invalid` or `options.unknown` */
export function getOptions(options: {
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}) {
  const place = 'rotation.get'
  refuseUnknown(place, requireObject(place, options, 'an object'), ['consistent', 'signal'])
  const consistent = requireBoolean(`${place}.consistent`, options.consistent ?? false)
  return { consistent, sending: sendingOf(place, options.signal) }
}

/** A query, in the form of requests. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function rangeOf(
  options: QueryOptions,
  { table, partitionKeyType }: ParsedRotationOptions,
): RangeQuery {
  const known = [
    'key',
    'from',
    'to',
    'forward',
    'limit',
    'consistent',
    'filter',
    'skipDropped',
    'cursor',
    'signal',
  ]
  refuseUnknown('rotation.query', requireObject('rotation.query', options, 'an object'), known)
  const { limit = 100, forward = true, consistent = false, skipDropped = false } = options
  const from = momentOf('rotation.query.from', options.from)
  const to = momentOf('rotation.query.to', options.to)
  if (to <= from) throw invalidOption('rotation.query.to', options.to, 'after rotation.query.from')
  const partition = toAttributeValue('rotation.query.key', options.key)
  requireKeyValue('rotation.query.key', partition, 'partition')
  requireKeyType('rotation.query.key', partition, partitionKeyType, table)
  return {
    partition,
    from,
    to,
    forward: requireBoolean('rotation.query.forward', forward),
    limit: requireInteger('rotation.query.limit', limit, 1, MAX_LIMIT),
    consistent: requireBoolean('rotation.query.consistent', consistent),
    skipDropped: requireBoolean('rotation.query.skipDropped', skipDropped),
    filter: options.filter,
    cursor: options.cursor,
    signal: requireSignal('rotation.query', options.signal),
  }
}

/** The options of an archive. @throws IsothermError `options.invalid` or `options.unknown` */
export function archiveOptions(method: string, options: ArchiveOptions) {
  const place = `rotation.${method}`
  refuseUnknown(place, requireObject(place, options, 'an object with a store'), [
    'store',
    'onProgress',
    'signal',
  ])
  const store = requireObjectStore(`${place}.store`, options.store)
  const { onProgress } = options
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalidOption(`${place}.onProgress`, onProgress, 'a function')
  return { store, onProgress, signal: requireSignal(place, options.signal) }
}

/** @throws IsothermError `options.invalid` */
export function momentOf(option: string, moment: unknown): number {
  const milliseconds =
    moment instanceof Date ? moment.getTime() : typeof moment === 'string' ? parseDate(moment) : moment
  if (typeof milliseconds === 'number' && hasDate(milliseconds)) return milliseconds
  const rule = "a Date, milliseconds since the Unix epoch, or a date or timestamp such as '2026-11-23'"
  throw invalidOption(option, moment, rule)
}

function sendingOf(place: string, signal: unknown): { readonly abortSignal: AbortSignal } | undefined {
  const abortSignal = requireSignal(place, signal)
  return abortSignal && { abortSignal }
}

function requireSignal(place: string, signal: unknown): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal
  throw invalidOption(`${place}.signal`, signal, 'an AbortSignal')
}
