import { parseDecimal } from '@isotherm/semantics'

const ZERO = '\u0080'
const POSITIVE = 0x81
const EXPONENT_BIAS = 130

/**
 * Encodes a number in bytes that sort as the numbers do, exact to 38 digits: one byte for the sign, one for the power
 * of ten (-130 to 125 fits), one for each pair of digits, and an end mark. A negative number is the complement of its
 * positive.
 */
export function encodeNumber(canonical: string): string {
  const { negative, digits, exponent } = parseDecimal(canonical)
  if (digits === '') return ZERO
  const bytes = [POSITIVE, exponent + EXPONENT_BIAS]
  for (let index = 0; index < digits.length; index += 2) {
    // Each pair is stored plus one, because 0 is the end mark.
    bytes.push(Number(digits.slice(index, index + 2).padEnd(2, '0')) + 1)
  }
  bytes.push(0)
  return String.fromCharCode(...(negative ? bytes.map((byte) => 255 - byte) : bytes))
}
