import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { emptyKeyText, isEmptyKey, ValidationError } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { SuffixableKey } from './key.js'
import { missingKey } from './missing-key.js'
import { namedType, wrongForm } from './named-type.js'

/**
 * Reads the partition key value of a request.
 * @throws IsothermError `key.missing`, or `key.type` when it cannot have a suffix; ValidationError with the service's
 * text for an empty value
 */
export function readKey(table: string, attribute: string, value: AttributeValue | undefined): SuffixableKey {
  if (value === undefined || value === null) throw missingKey(table, attribute, 'partition')
  const key = suffixable(value)
  if (key === undefined) throw wrongType(table, attribute, value)
  // With a suffix added, the service would accept an empty key, but no query could read it.
  if (isEmptyKey(key)) throw new ValidationError('key.empty', emptyKeyText(attribute, key))
  return key
}

/** Untyped callers also send values that no key has. As in the SDK, members that are `undefined` are none. */
function suffixable(value: unknown): SuffixableKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [member, ...more] = Object.entries(value).filter(([, held]) => held !== undefined)
  if (member === undefined || more.length > 0) return undefined
  const [type, held] = member
  if (type === 'S' && typeof held === 'string') return { S: held }
  return type === 'B' && held instanceof Uint8Array ? { B: held } : undefined
}

function wrongType(table: string, attribute: string, value: unknown): IsothermError<'key.type'> {
  const type = namedType(value)
  const wrong =
    wrongForm(value) ??
    `of type ${type}; only a string (S) or binary (B) key can carry a suffix. Send the value as the table has it. If its key is neither, leave the table out of the options.`
  return new IsothermError('key.type', `The partition key ${attribute} of ${table} is ${wrong}`, {
    table,
    attribute,
    type,
  })
}
