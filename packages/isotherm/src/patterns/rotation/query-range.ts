import { QueryCommand } from '@aws-sdk/client-dynamodb'
import type { AttributeValue, Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import { invalidOption } from '../../options/check.js'
import { type Condition, requestCondition } from '../conditions/condition.js'
import type { Catalog, PeriodEntry } from './catalog.js'
import { fromCursor, type RangePosition, toCursor } from './cursor.js'
import { exactText, numberNotAbove } from './large-numbers.js'
import { type Period, periodsBetween } from './periods.js'
import { foreignCursor, periodClosed } from './rotation-errors.js'
import type { ParsedRotationOptions } from './rotation-options.js'

/** One page of a range of time under one partition key. */
export interface RangeQuery {
  readonly partition: AttributeValue
  /** Milliseconds since the Unix epoch; `to` is not in the range. */
  readonly from: number
  readonly to: number
  readonly forward: boolean
  readonly limit: number
  readonly consistent: boolean
  readonly filter: Condition | undefined
  readonly skipDropped: boolean
  readonly cursor: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface RangePage {
  readonly items: readonly Item[]
  readonly cursor: string | undefined
}

/** A period of the range, with its table. */
interface PeriodTable {
  readonly period: Period
  readonly entry: PeriodEntry
}

/** A range has at most so many periods: of days, 27 years. */
const MAX_PERIODS = 10_000
/** A page ends after so many requests, however few items a filter lets through. */
const MAX_REQUESTS = 100

/**
 * Reads the tables of the periods that overlap the range, one after the other. Periods do not overlap each other, and a sort key is in
 * the order of its time, so what comes from one table is before everything that comes from the next.
 *
 * @throws IsothermError `rotation.closed` if the table of a period is gone, `rotation.cursor`, `options.invalid`
 */
export async function queryRange(
  catalog: Catalog,
  options: ParsedRotationOptions,
  query: RangeQuery,
): Promise<RangePage> {
  const { forward, limit, partition } = query
  let position = positionOf(options, query)
  const covering = await coveringPeriods(catalog, options, query)
  const left = covering.filter(({ period }) => isAhead(period, position, forward))
  const items: Item[] = []
  let requests = 0
  for (const { period, entry } of left) {
    // mark: page-begins-where-the-last-ended
    let after = position?.period === period.from ? position.after : undefined
    do {
      if (items.length >= limit || requests >= MAX_REQUESTS)
        return { items, cursor: toCursor({ partition, forward }, { period: period.from, after }) }
      requests += 1
      const isResumed = after !== undefined && after === position?.after
      const page = await pageOf(options, { period, entry }, query, limit - items.length, after).catch(
        (error) => {
          throw isResumed && isForeignStart(error) ? foreignCursor(options.table, query.cursor, error) : error
        },
      )
      items.push(...page.items)
      after = page.last
    } while (after !== undefined)
    position = undefined
  }
  return { items, cursor: undefined }
}

/** @throws IsothermError `rotation.cursor` for a cursor with which no page of this range ends */
function positionOf(options: ParsedRotationOptions, query: RangeQuery): RangePosition | undefined {
  const { table, partitionKey, sortKey, time, calendar } = options
  const { partition, forward, from, to, cursor } = query
  if (cursor === undefined) return undefined
  const reading = { table, partition, forward, partitionKey, sortKey, sortKeyType: time.type }
  const position = fromCursor(reading, cursor)
  const period = calendar.periodAt(position.period)
  const isCovered = period.from === position.period && period.from < to && period.to > from
  if (!isCovered) throw foreignCursor(table, cursor)
  return position
}

/**
 * A start key that is not of the query. The service compares it, because only the client of a sharded table knows the stored
 * partition keys, and the service orders sort keys.
 */
function isForeignStart(error: unknown): boolean {
  if (error instanceof IsothermError) return error.code === 'cursor.invalid'
  return error instanceof Error && error.name === 'ValidationException' && /starting key/.test(error.message)
}

/** Those of the range that have a table, in the order of the reading. */
async function coveringPeriods(
  catalog: Catalog,
  { calendar, table }: ParsedRotationOptions,
  { from, to, forward, consistent, skipDropped }: RangeQuery,
): Promise<readonly PeriodTable[]> {
  // What another process has written a moment ago may be in a table that this one has not heard of.
  const { entries } = await (consistent ? catalog.load() : catalog.view())
  const known = [...entries.keys()]
  const first = Math.max(from, Math.min(...known))
  const last = Math.min(to, calendar.periodAt(Math.max(...known, 0)).to)
  const periods = known.length === 0 ? [] : periodsBetween(calendar, first, last, MAX_PERIODS)
  if (periods.length > MAX_PERIODS)
    throw invalidOption('rotation.query: the range', { from, to }, `one of at most ${MAX_PERIODS} periods`)
  const covering = periods.flatMap((period) => {
    const entry = entries.get(period.from)
    // Nobody has written to it.
    if (entry === undefined || entry.state === 'creating') return []
    if (entry.state !== 'dropping' && entry.state !== 'dropped') return [{ period, entry }]
    if (!skipDropped) throw periodClosed(table, period, entry.state)
    return []
  })
  // mark: tables-are-read-in-order
  return forward ? covering : covering.reverse()
}

function isAhead(period: Period, position: RangePosition | undefined, forward: boolean): boolean {
  if (position === undefined) return true
  return forward ? period.from >= position.period : period.from <= position.period
}

async function pageOf(
  options: ParsedRotationOptions,
  { period, entry: { table: TableName } }: PeriodTable,
  query: RangeQuery,
  limit: number,
  after: Item | undefined,
): Promise<{ readonly items: readonly Item[]; readonly last: Item | undefined }> {
  const { partitionKey, sortKey, time, clientOf } = options
  const { partition, from, to, forward, consistent, filter, signal } = query
  const { expression, names, values } = requestCondition('rotation.query.filter', filter)
  const sort = (value: string | number): AttributeValue =>
    time.type === 'N' ? { N: typeof value === 'number' ? exactText(value) : value } : { S: String(value) }
  const command = new QueryCommand({
    TableName,
    KeyConditionExpression:
      '#isotherm_p = :isotherm_p AND #isotherm_s BETWEEN :isotherm_from AND :isotherm_to',
    ...(expression === undefined ? {} : { FilterExpression: expression }),
    ExpressionAttributeNames: { ...names, '#isotherm_p': partitionKey, '#isotherm_s': sortKey },
    ExpressionAttributeValues: {
      ...values,
      ':isotherm_p': partition,
      // A range may reach further than the format has sort keys; a period does not.
      ':isotherm_from': sort(time.first(Math.max(from, period.from))),
      // The format may be coarser than the range, so what is beyond it is left out below.
      ':isotherm_to': sort(time.first(Math.min(to, period.to) + COARSEST_MILLISECONDS)),
    },
    ScanIndexForward: forward,
    ConsistentRead: consistent,
    Limit: limit,
    ...(after === undefined ? {} : { ExclusiveStartKey: after }),
  })
  const { Items = [], LastEvaluatedKey } = await clientOf(TableName).send(
    command,
    signal && { abortSignal: signal },
  )
  const items = (Items as Item[]).filter((item) => {
    const at = timeOf(item[sortKey], options)
    return at >= from && at < to
  })
  return { items, last: LastEvaluatedKey as Item | undefined }
}

/** `iso` and `seconds` begin a second; formats of the application may do so with as much. */
const COARSEST_MILLISECONDS = 1_000

/** @returns milliseconds since the Unix epoch, or NaN */
export function timeOf(value: AttributeValue | undefined, { time }: ParsedRotationOptions): number {
  if (value === undefined) return Number.NaN
  if ('S' in value) return time.type === 'S' ? time.toMilliseconds(value.S) : Number.NaN
  return 'N' in value && time.type === 'N' ? time.toMilliseconds(numberNotAbove(value.N)) : Number.NaN
}
