import { formatDecimal, parseDecimal } from './decimal.js'

/** Shorter plain numbers cannot break a limit and need not be taken apart. */
const FAST_LENGTH = 30

/**
 * The one text that DynamoDB gives for a number, so that equal numbers are equal texts.
 *
 * @example
 * canonicalNumber('1.50e2') // '150'
 * @throws ValidationError with the service's text when it is no number, out of range, or of more than 38 digits.
 */
export function canonicalNumber(text: string): string {
  return isCanonicalInteger(text) ? text : formatDecimal(parseDecimal(text))
}

/** Whole numbers are most of what is stored, and most are canonical already. */
function isCanonicalInteger(text: string): boolean {
  const start = text.charCodeAt(0) === 45 ? 1 : 0
  const length = text.length
  if (length === start || length > FAST_LENGTH) return false
  if (text.charCodeAt(start) === 48) return text === '0'
  for (let index = start; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return true
}
