/** `2,103` in every locale, so that a run prints the same everywhere. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `1,263` or `7.5`: read units can be halves. */
export function units(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}
