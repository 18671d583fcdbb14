import {
  type AttributeValue,
  isEmptyKey,
  isKeyValue,
  MAX_PARTITION_KEY_BYTES,
  MAX_SORT_KEY_BYTES,
  valueBytes,
} from '@isotherm/semantics'
import { unfitValue } from './unfit-value.js'

/**
 * Refuses a value that no key can have.
 *
 * @param place names the value in errors
 * @throws IsothermError `pattern.value`
 */
export function requireKeyValue(place: string, value: AttributeValue, kind: 'partition' | 'sort'): void {
  if (!isKeyValue(value) || isEmptyKey(value))
    throw unfitValue(
      place,
      value,
      isKeyValue(value) ? 'empty' : `of type ${Object.keys(value)[0]}`,
      `a string, a number or a Uint8Array that is not empty, as the ${kind} key`,
    )
  const most = kind === 'partition' ? MAX_PARTITION_KEY_BYTES : MAX_SORT_KEY_BYTES
  const bytes = valueBytes(value)
  if (bytes > most)
    throw unfitValue(place, value, `a value of ${bytes} bytes`, `at most ${most} bytes, as the ${kind} key`)
}
