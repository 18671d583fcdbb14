import type { AttributeType, AttributeValue } from '../attribute-value.js'
import { MAX_SORT_KEY_BYTES } from '../limits.js'
import { invalidParametersText, unsupportedParametersText } from './parameters.js'

/** The service's sentences about keys of tables and indexes. */

export const KEY_MISMATCH_TEXT = 'The provided key element does not match the schema'

export function emptyKeyText(name: string, value: AttributeValue): string {
  return unsupportedParametersText(`${emptyValueText(value)} Key: ${name}`)
}

export function changedKeyText(name: string): string {
  return invalidParametersText(`Cannot update attribute ${name}. This attribute is part of the key`)
}

/** @param kind 'Key' for a key of a table, 'IndexKey' for one of an index. */
export function nestedKeyText(kind: 'Key' | 'IndexKey', name: string): string {
  return `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${name}`
}

export function sortKeySizeText(): string {
  return invalidParametersText(
    `Aggregated size of all range keys has exceeded the size limit of ${MAX_SORT_KEY_BYTES} bytes`,
  )
}

/** An attribute of an index's key. */
interface IndexKey {
  readonly index: string
  readonly attribute: string
}

export function indexKeyTypeText(
  { index, attribute }: IndexKey,
  expected: AttributeType,
  actual: string,
): string {
  return invalidParametersText(
    `Type mismatch for Index Key ${attribute} Expected: ${expected} Actual: ${actual} IndexName: ${index}`,
  )
}

export function emptyIndexKeyText(
  { index, attribute }: IndexKey,
  value: AttributeValue,
  operation: 'put' | 'update',
): string {
  const empty = emptyValueText(value)
  return unsupportedParametersText(
    operation === 'put'
      ? `A value specified for a secondary index key is not supported. ${empty} IndexName: ${index}, IndexKey: ${attribute}`
      : `The update expression attempted to update a secondary index key to a value that is not supported. ${empty}`,
  )
}

function emptyValueText(value: AttributeValue): string {
  return `The AttributeValue for a key attribute cannot contain an empty ${'S' in value ? 'string' : 'binary'} value.`
}
