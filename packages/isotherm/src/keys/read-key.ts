import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { emptyKeyText, isEmptyKey, ValidationError, type AttributeValue as Value } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { SuffixableKey } from './key.js'
import { missingKey } from './missing-key.js'
import { namedType } from './named-type.js'

/**
 * Reads the partition key value of a request.
 * @throws IsothermError `key.missing`, or `key.type` when it cannot have a suffix; ValidationError with the service's
 * text for an empty value
 */
export function readKey(table: string, attribute: string, value: AttributeValue | undefined): SuffixableKey {
  if (value === undefined || value === null) throw missingKey(table, attribute, 'partition')
  // With a suffix added, the service would accept an empty key, but no query could read it.
  if (isEmptyKey(value as Value)) {
    throw new ValidationError('key.empty', emptyKeyText(attribute, value as Value))
  }
  if (typeof value.S === 'string') return { S: value.S }
  if (value.B instanceof Uint8Array) return { B: value.B }
  const type = namedType(value)
  throw new IsothermError(
    'key.type',
    `The partition key ${attribute} of ${table} is of type ${type}; only a string (S) or binary (B) key can carry a suffix. ` +
      'Keep the table out of the options, or give it a string key.',
    { table, attribute, type },
  )
}
