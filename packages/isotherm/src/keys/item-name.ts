import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from './item-key.js'

/**
 * A text that identifies an item in maps. It is equal for different spellings of one key, such as the numbers 10 and
 * 1e1, because the service returns its own spelling.
 *
 * @param keys the names of the key attributes
 */
export function itemName(
  keys: readonly string[],
  attributes: Readonly<Record<string, AttributeValue>>,
): string {
  return JSON.stringify(keys.map((key) => nameOf(attributes[key])))
}

function nameOf(value: AttributeValue | undefined): unknown {
  const canonical = keyValueOf(value) ?? value
  return canonical !== undefined && 'B' in canonical && canonical.B !== undefined
    ? { B: Buffer.from(canonical.B).toString('base64') }
    : canonical
}
