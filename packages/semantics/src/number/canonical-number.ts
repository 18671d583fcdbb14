import { formatDecimal, parseDecimal } from './decimal.js'

/** Shorter plain numbers cannot break a limit and need not be taken apart. */
const FAST_LENGTH = 30
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57

/**
 * The one text that DynamoDB gives for a number, so that equal numbers are equal texts.
 *
 * @example
 * canonicalNumber('1.50e2') // '150'
 * @throws ValidationError with the service's text when it is no number, out of range, or of more than 38 digits.
 */
export function canonicalNumber(text: string): string {
  return isShortCanonical(text) ? text : formatDecimal(parseDecimal(text))
}

/** Most numbers that arrive are canonical already, and to see that costs far less than taking them apart. */
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
