/** DynamoDB keeps so many digits. */
const MAX_DIGITS = 38

/** A whole number of JavaScript is written with zeros in the place of its last digits when it has more than 16 or so. */
export function exactText(value: number): string {
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isInexact && Math.abs(value) < 10 ** MAX_DIGITS ? String(BigInt(value)) : String(value)
}

/**
 * The number of a text, or the nearest one below it, so that an id with many digits, such as a Snowflake id, is not taken for one of the next
 * period.
 */
export function numberNotAbove(text: string): number {
  const number = Number(text)
  if (number <= Number.MAX_SAFE_INTEGER || !/^\d+$/.test(text) || BigInt(number) <= BigInt(text))
    return number
  return number * (1 - Number.EPSILON / 2)
}
