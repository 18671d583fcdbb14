import { invalidOption, requireInteger, requireText } from './check.js'

export const DEFAULT_DEADLINE = '10s'
export const DEFAULT_STALE_READS = '5m'
const DEFAULT_ATTEMPTS = 8

/** @throws IsothermError `options.invalid` */
export function parseAttempts(path: string, attempts: unknown = DEFAULT_ATTEMPTS): number {
  return requireInteger(path, attempts, 1, 100)
}

/**
 * Rejects a delimiter with digits, because they would make `a1` + `1` + `2` ambiguous.
 * @throws IsothermError `options.invalid`
 */
export function parseDelimiter(path: string, delimiter: unknown = '_'): string {
  const rule = 'one to 16 characters, without digits'
  const text = requireText(path, delimiter, rule)
  if (text.length > 16 || /\d/.test(text)) throw invalidOption(path, text, rule)
  return text
}
