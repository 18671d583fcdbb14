/** `2,103` in every locale, so that a run prints the same everywhere. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `1,263` or `7.5`: read units can be halves. */
export function units(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

/** `1 key`, or `2,103 keys`. */
export function counted(value: number, one: string, several: string): string {
  return `${grouped(value)} ${value === 1 ? one : several}`
}

/** `1 key has a count of its own`, or `2,103 keys have a count of their own`. */
export function keysWithOwnCounts(keys: number): string {
  return counted(keys, 'key has a count of its own', 'keys have a count of their own')
}
