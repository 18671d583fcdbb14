import { formatDecimal, parseDecimal } from './decimal.js'

/** Shorter plain numbers cannot exceed a limit and need no parsing. */
const FAST_LENGTH = 30
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57

/**
 * The one text that DynamoDB returns for a number, so equal numbers are equal texts.
 *
 * @example
 * canonicalNumber('1.50e2') // '150'
 * @throws ValidationError with the service's text when it is not a number, is out of range, or has more than 38 digits.
 */
export function canonicalNumber(text: string): string {
  return isShortCanonical(text) ? text : formatDecimal(parseDecimal(text))
}

/** Most numbers arrive in canonical form, and checking that costs far less than parsing them. */
function isShortCanonical(text: string): boolean {
  if (text === '0') return true
  const length = text.length
  if (length > FAST_LENGTH) return false
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  const point = endOfDigits(text, start)
  if (point === start || (text.charCodeAt(start) === ZERO && point !== start + 1)) return false
  if (point === length) return text.charCodeAt(start) !== ZERO
  if (text.charCodeAt(point) !== POINT || point === length - 1) return false
  return endOfDigits(text, point + 1) === length && text.charCodeAt(length - 1) !== ZERO
}

/** Where the digits that begin at `index` end. */
function endOfDigits(text: string, index: number): number {
  let end = index
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < ZERO || code > NINE) return end
    end++
  }
  return end
}
