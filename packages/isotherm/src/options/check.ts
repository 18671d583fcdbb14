import { IsothermError } from '../errors/isotherm-error.js'

/**
 * @throws IsothermError `options.unknown` for the first unknown member. The message lists the known ones. `options.invalid` if the value
 * is not an object, as in `dynamicShards(10)`
 */
export function refuseUnknown(option: string, value: object, known: readonly string[]): void {
  requireObject(option, value, `an object with some of the options ${known.join(', ')}`)
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    throw new IsothermError(
      'options.unknown',
      `${option}.${name} is not an option of this version; known are ${known.join(', ')}.`,
      { option: `${option}.${name}`, known },
    )
  }
}

/** The error for an invalid value. `rule` completes "it must be ...". */
export function invalidOption(
  option: string,
  value: unknown,
  rule: string,
): IsothermError<'options.invalid'> {
  return new IsothermError('options.invalid', `${option} is ${shown(value)}; it must be ${rule}.`, {
    option,
    value,
  })
}

/** @throws IsothermError `options.invalid` */
export function requireObject(option: string, value: unknown, rule: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Map)
    throw invalidOption(option, value, rule)
  return value
}

/** @throws IsothermError `options.invalid` */
export function requireText(option: string, value: unknown, rule: string): string {
  if (typeof value !== 'string' || value === '') throw invalidOption(option, value, rule)
  return value
}

/** @throws IsothermError `options.invalid` */
export function requireInteger(option: string, value: unknown, from: number, to: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value
  throw invalidOption(option, value, `a whole number from ${from} to ${to}`)
}

/** @throws IsothermError `options.invalid` */
export function requireBoolean(option: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw invalidOption(option, value, 'true or false')
}

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `${value}n`
  // JSON has no NaN.
  if (typeof value === 'number') return String(value)
  if (value instanceof Map) return 'a Map'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // It contains itself, or a bigint. Then it may have no text of its own, without a prototype.
    return Object.prototype.toString.call(value)
  }
}
