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
 * The service reads an exponent as a 32-bit integer: beyond it the text is not a number, rather than a number too
 * large.
 */
const MAX_WRITTEN_EXPONENT = 2_147_483_647

const ZERO: Decimal = { negative: false, digits: '', exponent: 0 }
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/**
 * Parses a number as DynamoDB does: `12`, `-0.5`, `1e3`, `.5`.
 * @throws ValidationError for text that is not a number, and for a number out of range or of more than 38 digits.
 */
export function parseDecimal(text: string): Decimal {
  const match = SYNTAX.exec(text)
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? []
  const shift = Number(power)
  if (match === null || whole.length + fraction.length === 0 || Math.abs(shift) > MAX_WRITTEN_EXPONENT) {
    throw new ValidationError(
      'number.syntax',
      `The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`,
    )
  }
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) return ZERO
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
  if (decimal.exponent > MAX_NUMBER_EXPONENT) {
    throw new ValidationError(
      'number.overflow',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    )
  }
  if (decimal.exponent < MIN_NUMBER_EXPONENT) {
    throw new ValidationError(
      'number.underflow',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    )
  }
  return decimal
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
