/** A duration: text with a unit (`'500ms'`, `'60s'`, `'5m'`, `'1h'`), or a number of milliseconds. At most 1,000 years. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** 1,000 years. Durations are added to the time, and a sum that is much larger is neither a valid `Date` nor exact. */
const MAX_MILLISECONDS = 1_000 * 365.25 * 24 * 3_600_000

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/** What `millisecondsOf` accepts, for the messages of those who refuse the rest. */
export const DURATION_RULE =
  "a duration such as '60s', '500ms' or '5m', or a number of milliseconds from 0 up, and at most 1,000 years"

/**
 * Returns the milliseconds of a duration, or `undefined` for anything else.
 *
 * @example millisecondsOf('1.5s') // 1500
 */
export function millisecondsOf(value: unknown): number | undefined {
  const milliseconds = typeof value === 'string' ? fromText(value) : value
  const fits = typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds <= MAX_MILLISECONDS
  return fits ? milliseconds : undefined
}

function fromText(text: string): number | undefined {
  const [, amount, unit = ''] = DURATION.exec(text) ?? []
  const unitMilliseconds = UNIT_MILLISECONDS[unit]
  return amount === undefined || unitMilliseconds === undefined
    ? undefined
    : Number(amount) * unitMilliseconds
}
