import { IsothermError } from '../../errors/isotherm-error.js'

/**
 * The error for a value that DynamoDB does not store.
 *
 * @param shown the value, in a few words
 * @param rule completes "it must be ..."
 */
export function unfitValue(
  place: string,
  value: unknown,
  shown: string,
  rule: string,
): IsothermError<'pattern.value'> {
  return new IsothermError('pattern.value', `${place} is ${shown}; it must be ${rule}.`, { place, value })
}
