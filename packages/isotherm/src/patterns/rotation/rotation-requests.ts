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
import { toAttributeValue } from '../values/to-attribute-value.js'
import type { ArchiveReport } from './archive-period.js'
import type { PeriodState } from './catalog.js'
import type { RangeQuery } from './query-range.js'

const MAX_LIMIT = 10_000

/** A moment: a `Date`, milliseconds since the Unix epoch, or a date or timestamp in UTC. */
export type Moment = Date | number | string

/** Options of `put` and `delete`. */
export interface ItemOptions {
  /** Must hold of the item as it is stored, or nothing is written. */
  readonly condition?: Condition
  readonly signal?: AbortSignal
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
  readonly forward?: boolean
  /** Items of a page. Default 100. */
  readonly limit?: number
  /** Default `false`. */
  readonly consistent?: boolean
  /** Items that do not pass are left out. */
  readonly filter?: Condition
  /** Leaves periods out whose table was dropped. Default `false`: they are an error. */
  readonly skipDropped?: boolean
  /** Of the page before. */
  readonly cursor?: string
  readonly signal?: AbortSignal
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
  readonly onProgress?: (report: ArchiveReport) => void
  readonly signal?: AbortSignal
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
  refuseUnknown(`rotation.${method}`, requireObject(`rotation.${method}`, options, 'an object'), [
    'condition',
    'signal',
  ])
  const place = `rotation.${method}.condition`
  const condition = requestCondition(place, options.condition)
  // Before the table of the period is created.
  requireValidCondition(place, condition)
  const { expression, names, values } = condition
  const request = {
    ...(expression === undefined ? {} : { ConditionExpression: expression }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  }
  return { request, sending: options.signal && { abortSignal: options.signal } }
}

/** A query, in the form of requests. @throws IsothermError `options.invalid`, `options.unknown` or `pattern.value` */
export function rangeOf(options: QueryOptions): RangeQuery {
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
  return {
    partition: toAttributeValue('rotation.query.key', options.key),
    from,
    to,
    forward: requireBoolean('rotation.query.forward', forward),
    limit: requireInteger('rotation.query.limit', limit, 1, MAX_LIMIT),
    consistent: requireBoolean('rotation.query.consistent', consistent),
    skipDropped: requireBoolean('rotation.query.skipDropped', skipDropped),
    filter: options.filter,
    cursor: options.cursor,
    signal: options.signal,
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
  return { store, onProgress: options.onProgress, signal: options.signal }
}

/** @throws IsothermError `options.invalid` */
export function momentOf(option: string, moment: unknown): number {
  const milliseconds =
    moment instanceof Date
      ? moment.getTime()
      : typeof moment === 'string'
        ? Date.parse(/T[\d:.]+$/.test(moment) ? `${moment}Z` : moment)
        : moment
  if (typeof milliseconds === 'number' && Number.isFinite(milliseconds)) return milliseconds
  throw invalidOption(option, moment, 'a Date, milliseconds since the Unix epoch, or a date or timestamp')
}
