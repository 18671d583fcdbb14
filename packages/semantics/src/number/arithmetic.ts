import {
  checkRange,
  type Decimal,
  formatDecimal,
  MAX_NUMBER_DIGITS,
  overflow,
  parseDecimal,
} from './decimal.js'

/** Sums of numbers this short are exact as doubles. */
const EXACT_INTEGER_LENGTH = 15

/**
 * The exact sum of two numbers; both and the sum are canonical text.
 * @throws ValidationError when the result is out of DynamoDB's range or needs more than 38 digits.
 */
export function addNumbers(a: string, b: string): string {
  if (isShortInteger(a) && isShortInteger(b)) return String(Number(a) + Number(b))
  const left = parseDecimal(a)
  const right = parseDecimal(b)
  if (left.digits === '') return b
  if (right.digits === '') return a
  const unit = Math.min(lastPower(left), lastPower(right))
  const sum = fromScaled(scaled(left, unit) + scaled(right, unit), unit)
  // The service reports too many digits of a sum as an overflow, unlike those of a number in a request.
  if (sum.digits.length > MAX_NUMBER_DIGITS) throw overflow()
  return formatDecimal(checkRange(sum))
}

/** The exact difference `a - b`, with the errors of `addNumbers`. */
export function subtractNumbers(a: string, b: string): string {
  return addNumbers(a, negated(b))
}

function negated(text: string): string {
  if (text === '0') return text
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

function isShortInteger(text: string): boolean {
  return text.length <= EXACT_INTEGER_LENGTH && !text.includes('.')
}

/** The power of ten of the last digit. */
function lastPower({ digits, exponent }: Decimal): number {
  return exponent - digits.length + 1
}

function scaled(decimal: Decimal, unit: number): bigint {
  const magnitude = BigInt(decimal.digits) * 10n ** BigInt(lastPower(decimal) - unit)
  return decimal.negative ? -magnitude : magnitude
}

function fromScaled(value: bigint, unit: number): Decimal {
  const negative = value < 0n
  const all = (negative ? -value : value).toString()
  const digits = all === '0' ? '' : all.replace(/0+$/, '')
  return { negative, digits, exponent: all.length - 1 + unit }
}
