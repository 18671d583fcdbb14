import { IsothermError } from '../errors/isotherm-error.js'

/** A duration: text with a unit (`'500ms'`, `'60s'`, `'5m'`, `'1h'`), or a number of milliseconds. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/**
 * @returns milliseconds
 * @throws IsothermError `options.invalid`, which names the option
 */
export function parseDuration(option: string, value: unknown): number {
  const milliseconds = typeof value === 'string' ? fromText(value) : value
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds) || milliseconds < 0) {
    throw new IsothermError(
      'options.invalid',
      `${option} is ${JSON.stringify(value)}; it must be a duration such as '60s', '500ms' or '5m', or a number of milliseconds from 0 up.`,
      { option, value },
    )
  }
  return milliseconds
}

function fromText(text: string): number | undefined {
  const [, amount, unit = ''] = DURATION.exec(text) ?? []
  const unitMilliseconds = UNIT_MILLISECONDS[unit]
  return amount === undefined || unitMilliseconds === undefined
    ? undefined
    : Number(amount) * unitMilliseconds
}
