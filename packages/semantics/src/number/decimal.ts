import { NUMBER_OVERFLOW_TEXT, NUMBER_UNDERFLOW_TEXT, notNumericText } from '../texts/values.js'
import { ValidationError } from '../validation-error.js'

/** A parsed number: `0.d1d2d3... x 10^(exponent + 1)`, where d1 and the last digit are not 0. Zero has no digits. */
export interface Decimal {
  readonly negative: boolean
  /** Significant digits without leading or trailing zeros; empty for zero. */
  readonly digits: string
  /** The power of ten of the first digit: 0 for 5, 1 for 50, -1 for 0.5. */
  readonly exponent: number
}

/**
 * Limits of the type Number.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html (Numbers)
 */
export const MAX_NUMBER_DIGITS = 38
export const MAX_NUMBER_EXPONENT = 125
export const MIN_NUMBER_EXPONENT = -130
/**
 * The service reads an exponent as a 64-bit integer. Beyond it, the text is not a number, instead of a number too large.
 */
const MAX_WRITTEN_EXPONENT = 9_223_372_036_854_775_807n
/** Exponents with fewer digits are within 64 bits. */
const SAFE_EXPONENT_LENGTH = 18

const ZERO: Decimal = { negative: false, digits: '', exponent: 0 }
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/**
 * Parses a number as DynamoDB does: `12`, `-0.5`, `1e3`, `.5`.
 * @throws ValidationError for text that is not a number, and for a number out of range or of more than 38 digits.
 */
export function parseDecimal(text: string): Decimal {
  const match = SYNTAX.exec(text)
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? []
  if (match === null || whole.length + fraction.length === 0 || !isReadableExponent(power)) {
    throw new ValidationError('number.syntax', notNumericText(text))
  }
  const shift = Number(power)
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) {
    // A zero has a magnitude too, that of its last digit: 0e126 is refused, and 0.0e126 is not.
    checkMagnitude(shift - fraction.length)
    return ZERO
  }
  return checkRange({
    negative: sign === '-',
    digits: all.slice(first, endWithoutZeros(all)),
    exponent: whole.length - 1 - first + shift,
  })
}

/** @throws ValidationError when DynamoDB cannot store the number. */
export function checkRange(decimal: Decimal): Decimal {
  if (decimal.digits === '') return ZERO
  if (decimal.digits.length > MAX_NUMBER_DIGITS) {
    throw new ValidationError(
      'number.precision',
      'Attempting to store more than 38 significant digits in a Number',
    )
  }
  checkMagnitude(decimal.exponent)
  return decimal
}

/** The error for a number that is too large, and for a sum or difference that needs more than 38 digits. */
export function overflow(): ValidationError {
  return new ValidationError('number.overflow', NUMBER_OVERFLOW_TEXT)
}

function checkMagnitude(exponent: number): void {
  if (exponent > MAX_NUMBER_EXPONENT) throw overflow()
  if (exponent < MIN_NUMBER_EXPONENT) throw new ValidationError('number.underflow', NUMBER_UNDERFLOW_TEXT)
}

function isReadableExponent(power: string): boolean {
  if (power.length <= SAFE_EXPONENT_LENGTH) return true
  const exponent = BigInt(power.startsWith('+') ? power.slice(1) : power)
  return exponent <= MAX_WRITTEN_EXPONENT && exponent >= -MAX_WRITTEN_EXPONENT - 1n
}

/** The canonical text: plain digits, no exponent, no redundant zeros. */
export function formatDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const wholeLength = exponent + 1
  if (digits.length <= wholeLength) return sign + digits + '0'.repeat(wholeLength - digits.length)
  return `${sign}${digits.slice(0, wholeLength)}.${digits.slice(wholeLength)}`
}

function endWithoutZeros(digits: string): number {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--
  return end
}
