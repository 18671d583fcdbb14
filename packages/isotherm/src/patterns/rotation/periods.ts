import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { dateText, parseDate } from './iso-dates.js'

/** A period of time with a table of its own, in UTC. */
export interface Period {
  /** Such as `2026-11`, `2026-W47`, `2026-11-23`: the end of its table's name. */
  readonly label: string
  /** Milliseconds since the Unix epoch. */
  readonly from: number
  /** The beginning of the next period. */
  readonly to: number
}

/** Periods of any length: `every` from `from`, such as `{ every: '240h', from: '2026-01-01' }`. */
export interface OddPeriod {
  /** Length of a period, at least a second. */
  readonly every: Duration
  /** A moment at which a period begins: a date or timestamp in ISO 8601, in UTC if it has no zone. */
  readonly from: string
}

/** How time is divided. Months, weeks and days are those of UTC; a week begins on Monday. */
export type PeriodLength = 'month' | 'week' | 'day' | OddPeriod

/** Divides time into periods. */
export interface Calendar {
  /** @param milliseconds since the Unix epoch */
  periodAt(milliseconds: number): Period
}

const DAY = 86_400_000
/** The Unix epoch was a Thursday. */
const FIRST_MONDAY = 4 * DAY
/** Beyond, a date has more than four digits. */
const LAST = Date.UTC(9999, 11, 31)

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parsePeriod(period: unknown): Calendar {
  if (period === 'month') return { periodAt: monthAt }
  if (period === 'week') return regular(7 * DAY, FIRST_MONDAY, weekLabel)
  if (period === 'day') return regular(DAY, 0, dayLabel)
  const rule = "'month', 'week', 'day', or { every, from }"
  const odd = requireObject('rotation.period', period, rule) as Partial<OddPeriod>
  refuseUnknown('rotation.period', odd, ['every', 'from'])
  // The catalog knows whole milliseconds, and 1.1 hours are none in floating point.
  const length = Math.round(parseDuration('rotation.period.every', odd.every))
  const from = typeof odd.from === 'string' ? parseDate(odd.from) : Number.NaN
  if (length < 1_000) throw invalidOption('rotation.period.every', odd.every, 'at least a second')
  if (Number.isNaN(from))
    throw invalidOption('rotation.period.from', odd.from, "a date in UTC, such as '2026-01-01'")
  return regular(length, from, length % DAY === 0 && from % DAY === 0 ? dayLabel : momentLabel)
}

/** The periods that overlap a time, in order. */
export function periodsBetween(
  calendar: Calendar,
  from: number,
  to: number,
  most: number,
): readonly Period[] {
  const periods: Period[] = []
  for (let at = from; at < to && periods.length <= most; ) {
    const period = calendar.periodAt(at)
    periods.push(period)
    at = period.to
  }
  return periods
}

/** Whether a period can have a table: its name has a year of four digits. */
export function isNameable(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds < LAST
}

function regular(length: number, origin: number, label: (from: number) => string): Calendar {
  return {
    periodAt(milliseconds) {
      const from = origin + Math.floor((milliseconds - origin) / length) * length
      return { label: label(from), from, to: from + length }
    },
  }
}

function monthAt(milliseconds: number): Period {
  const date = new Date(milliseconds)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const from = Date.UTC(year, month)
  return { label: date.toISOString().slice(0, 7), from, to: Date.UTC(year, month + 1) }
}

function dayLabel(from: number): string {
  return dateText(from).slice(0, 10)
}

/** The week of ISO 8601: its year is that of its Thursday. */
function weekLabel(from: number): string {
  const thursday = new Date(from + 3 * DAY)
  const year = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0)) / (7 * DAY))
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** A table's name has no colon. */
function momentLabel(from: number): string {
  return dateText(from).replaceAll(':', '').replace('.000', '')
}
