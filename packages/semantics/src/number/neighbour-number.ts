import {
  type Decimal,
  formatDecimal,
  MAX_NUMBER_DIGITS,
  MAX_NUMBER_EXPONENT,
  MIN_NUMBER_EXPONENT,
  parseDecimal,
} from './decimal.js'

/**
 * The number directly after another one, or directly before it, among those that DynamoDB can store.
 *
 * @example
 * neighbourNumber('1', -1) // '0.99999999999999999999999999999999999999'
 * @param direction up (1) or down (-1)
 * @returns `undefined` beyond the highest or lowest number
 * @throws ValidationError for text that is not a number
 */
export function neighbourNumber(text: string, direction: 1 | -1): string | undefined {
  const number = parseDecimal(text)
  if (number.digits === '') {
    return formatDecimal({ negative: direction < 0, digits: '1', exponent: MIN_NUMBER_EXPONENT })
  }
  const next = number.negative === direction > 0 ? smaller(number) : larger(number)
  return next === undefined ? undefined : formatDecimal(next)
}

function larger({ negative, digits, exponent }: Decimal): Decimal | undefined {
  const next = String(BigInt(digits.padEnd(MAX_NUMBER_DIGITS, '0')) + 1n)
  const power = exponent + next.length - MAX_NUMBER_DIGITS
  return power > MAX_NUMBER_EXPONENT ? undefined : { negative, digits: trimmed(next), exponent: power }
}

function smaller({ negative, digits, exponent }: Decimal): Decimal {
  // Below a power of ten, the numbers are ten times as dense.
  if (digits !== '1') {
    const next = String(BigInt(digits.padEnd(MAX_NUMBER_DIGITS, '0')) - 1n)
    return { negative, digits: trimmed(next), exponent }
  }
  if (exponent === MIN_NUMBER_EXPONENT) return { negative: false, digits: '', exponent: 0 }
  return { negative, digits: '9'.repeat(MAX_NUMBER_DIGITS), exponent: exponent - 1 }
}

function trimmed(digits: string): string {
  return digits.replace(/0+$/, '')
}
