/** A `Date` reaches as far from the Unix epoch: ECMAScript, "Time Values and Time Range". */
const MAX_MILLISECONDS = 8.64e15

/** ISO 8601: a month, a date, or a date and a time. */
const ISO_8601 = /^\d{4}-\d\d(?:-\d\d(?:(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?)?$/

/** Whether a number of milliseconds since the Unix epoch has a date. */
export function hasDate(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= MAX_MILLISECONDS
}

/** The date in ISO 8601. A moment that has none gets the nearest. */
export function dateText(milliseconds: number): string {
  return new Date(Math.max(-MAX_MILLISECONDS, Math.min(milliseconds, MAX_MILLISECONDS))).toISOString()
}

/**
 * Reads a date or timestamp, which is in UTC if it has no zone.
 *
 * `Date.parse` alone would read other texts too, such as `2026-10-1`, and takes them for local time.
 *
 * @returns milliseconds since the Unix epoch, or NaN for a text that is not ISO 8601
 */
export function parseDate(text: string): number {
  const [whole, time, zone] = ISO_8601.exec(text) ?? []
  const day = text.slice(0, 10)
  if (whole === undefined || Number.isNaN(parseExactly(day, day))) return Number.NaN
  return Date.parse(time !== undefined && zone === undefined ? `${text}Z` : text)
}

/**
 * Reads a text whose date must exist: `Date.parse` takes the 30th of February for the 2nd of March.
 *
 * @param shown the beginning of the date's own text
 * @returns milliseconds since the Unix epoch, or NaN
 */
export function parseExactly(text: string, shown: string): number {
  const at = Date.parse(text)
  return hasDate(at) && new Date(at).toISOString().startsWith(shown) ? at : Number.NaN
}
