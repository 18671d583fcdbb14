import { type Decimal, parseDecimal } from './decimal.js'

/** Texts this short are exact as doubles, so a double decides their order. */
const EXACT_LENGTH = 15

/** Order of two numbers in canonical text, exact to 38 digits: below 0, 0 or above 0. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0
  if (a.length <= EXACT_LENGTH && b.length <= EXACT_LENGTH) return Number(a) - Number(b)
  return compareDecimals(parseDecimal(a), parseDecimal(b))
}

/** The same order of two numbers that have been parsed already. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const leftSign = signOf(left)
  const rightSign = signOf(right)
  if (leftSign !== rightSign) return leftSign - rightSign
  const magnitude = left.exponent - right.exponent || compareDigits(left.digits, right.digits)
  return magnitude * leftSign
}

function signOf({ digits, negative }: { digits: string; negative: boolean }): number {
  if (digits === '') return 0
  return negative ? -1 : 1
}

/** Fractions 0.d1d2d3...: without trailing zeros, the order of the texts is the order of the values. */
function compareDigits(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
