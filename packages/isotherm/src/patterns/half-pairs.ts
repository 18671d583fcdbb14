import { invalidOption } from '../options/check.js'

/**
 * In UTF-8, all half surrogate pairs are the same character, so names that differ in them would be one.
 *
 * @throws IsothermError `options.invalid`
 */
export function refuseHalfPairs(option: string, name: string): void {
  if (/\p{Cs}/u.test(name)) throw invalidOption(option, name, 'text without half surrogate pairs')
}
