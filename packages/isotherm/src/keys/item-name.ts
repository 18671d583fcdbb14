import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { keyValueOf } from './item-key.js'

/**
 * A name for an item in maps: equal for two spellings of one key, as the numbers 10 and 1e1, which the service answers in
 * its own.
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
