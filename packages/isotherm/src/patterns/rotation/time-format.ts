import { invalidOption } from '../../options/check.js'
import { dateText, parseExactly } from './iso-dates.js'

/**
 * How a sort key contains the time of its item. Sort keys must be in the order of their times: a ULID, a Snowflake id, or a timestamp with
 * anything behind it.
 */
export interface TimeFormat {
  /** Type of the sort key. */
  readonly type: 'S' | 'N'
  /**
   * @param sortKey a number above 2^53 has lost its last digits: it is the nearest one that is not above the stored number
   * @returns milliseconds since the Unix epoch, or NaN for a sort key that has no time
   */
  toMilliseconds(sortKey: string | number): number
  /** @returns a sort key that is not after any sort key of this time or later, and not before any earlier one */
  first(milliseconds: number): string | number
}

/** The formats that have names. */
export type TimeFormatName = 'iso' | 'seconds' | 'milliseconds'

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?/

/** From here on, a year has more digits, and its text would be before the others. */
const YEAR_10000 = Date.UTC(10_000, 0)
/** Behind every text of before. */
const LAST_TEXT = '9999-12-31T24'

const FORMATS: Readonly<Record<TimeFormatName, TimeFormat>> = {
  /** A timestamp in UTC, such as `2026-11-23T06:00:00.000Z`, with anything behind it. */
  iso: {
    type: 'S',
    toMilliseconds(sortKey) {
      const [, second, fraction = ''] = ISO.exec(String(sortKey)) ?? []
      // A date that does not exist would be read as one of a later period, and its text is before that period.
      return second === undefined ? Number.NaN : parseExactly(`${second}${fraction.slice(0, 4)}Z`, second)
    },
    // Of whole seconds, because `00.5Z` is before `00Z` as text.
    first: (milliseconds) =>
      milliseconds < YEAR_10000 ? dateText(Math.floor(milliseconds / 1_000) * 1_000).slice(0, 19) : LAST_TEXT,
  },
  seconds: {
    type: 'N',
    toMilliseconds: (sortKey) => Number(sortKey) * 1_000,
    first: (milliseconds) => Math.floor(milliseconds / 1_000),
  },
  milliseconds: {
    type: 'N',
    toMilliseconds: (sortKey) => Number(sortKey),
    first: (milliseconds) => Math.floor(milliseconds),
  },
}

/** @throws IsothermError `options.invalid` */
export function parseTimeFormat(value: unknown): TimeFormat {
  if (typeof value === 'string' && Object.hasOwn(FORMATS, value)) return FORMATS[value as TimeFormatName]
  const { type, toMilliseconds, first } = Object(value) as Record<keyof TimeFormat, unknown>
  const isFormat = (type === 'S' || type === 'N') && typeof toMilliseconds === 'function'
  if (isFormat && typeof first === 'function') return value as TimeFormat
  const rule = `one of ${Object.keys(FORMATS).join(', ')}, or an object with type, toMilliseconds and first`
  throw invalidOption('rotation.time', value, rule)
}
