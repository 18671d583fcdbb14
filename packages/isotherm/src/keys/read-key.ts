import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../errors/isotherm-error.js'
import type { SuffixableKey } from './key.js'

/**
 * The partition key value of a request.
 * @throws IsothermError `key.missing`, or `key.type` when it cannot carry a suffix
 */
export function readKey(table: string, attribute: string, value: AttributeValue | undefined): SuffixableKey {
  if (value === undefined) {
    throw new IsothermError(
      'key.missing',
      `The request for ${table} has no ${attribute}; that is the table's partition key and every item needs one. Add it.`,
      { table, attribute },
    )
  }
  if (typeof value.S === 'string') return { S: value.S }
  if (value.B instanceof Uint8Array) return { B: value.B }
  const type = Object.keys(value)[0] ?? 'nothing'
  throw new IsothermError(
    'key.type',
    `The partition key ${attribute} of ${table} is of type ${type}; only a string (S) or binary (B) key can carry a suffix. ` +
      'Keep the table out of the options, or give it a string key.',
    { table, attribute, type },
  )
}
