import { canonicalNumber, ValidationError } from '@isotherm/semantics'

/** What `toPrecision` takes. */
const MAX_DIGITS = 100

/** Whether JavaScript keeps all digits of a number of DynamoDB. */
export function isKept(text: string): boolean {
  return isSame(text, String(Number(text)))
}

/**
 * Whether a number in a file is a floating-point number with all of its digits. Their last ones are noise: `0.10000000000000001`. Those of
 * a large whole number may be an identifier.
 */
export function isPrintedFloat(text: string): boolean {
  if (Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER) return false
  const digits = text.replace(/e.*/i, '').replace(/[-.]/g, '').replace(/^0+/, '').length
  return digits > 0 && digits <= MAX_DIGITS && isSame(text, Number(text).toPrecision(digits))
}

function isSame(one: string, other: string): boolean {
  try {
    return canonicalNumber(one) === canonicalNumber(other)
  } catch (error) {
    // No number of DynamoDB: too many digits, too large or too small.
    if (error instanceof ValidationError) return false
    throw error
  }
}
