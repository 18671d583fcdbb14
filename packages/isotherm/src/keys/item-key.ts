import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { canonicalNumber, type KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { LogicalKey } from './key.js'
import { missingKey } from './missing-key.js'
import { namedType, wrongForm } from './named-type.js'
import { readKey } from './read-key.js'

/** The primary key of one item, as the application knows it. */
export interface ItemKey {
  readonly logical: LogicalKey
  /** In canonical form. `undefined` in a table without a sort key. */
  readonly sort: KeyValue | undefined
}

/** The names of a table's primary key attributes. */
interface KeySchema {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string | undefined
}

/**
 * Reads the primary key from an item, or from the `Key` of a request. Other attributes are ignored.
 * @throws IsothermError `key.missing` or `key.type`
 */
export function readItemKey(
  { name, partitionKey, sortKey }: KeySchema,
  attributes: Readonly<Record<string, AttributeValue>> | undefined,
): ItemKey {
  const logical = readKey(name, partitionKey, attributes?.[partitionKey]) as LogicalKey
  if (sortKey === undefined) return { logical, sort: undefined }
  const value = attributes?.[sortKey]
  if (value === undefined || value === null) throw missingKey(name, sortKey, 'sort')
  const sort = keyValueOf(value)
  if (sort === undefined) throw wrongType(name, sortKey, value)
  return { logical, sort }
}

/** A key value in the canonical form for comparisons, or `undefined` for a value that cannot be a key. */
export function keyValueOf(value: AttributeValue | undefined): KeyValue | undefined {
  const { S, N, B } = Object(value) as { readonly [type: string]: unknown }
  if (typeof S === 'string') return { S }
  if (typeof N === 'string') return { N: canonicalNumber(N) }
  return B instanceof Uint8Array ? { B } : undefined
}

/** The key value, with a number in canonical form. */
export function canonicalKeyValue(value: KeyValue): KeyValue {
  return 'N' in value ? { N: canonicalNumber(value.N) } : value
}

function wrongType(table: string, attribute: string, value: AttributeValue): IsothermError<'key.type'> {
  const type = namedType(value)
  const wrong =
    wrongForm(value) ?? `of type ${type}; a key is a string (S), a number (N) or binary (B). Correct it.`
  return new IsothermError('key.type', `The sort key ${attribute} of ${table} is ${wrong}`, {
    table,
    attribute,
    type,
  })
}
