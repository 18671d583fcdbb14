import type { AttributeValue } from './attribute-value.js'

/** An empty string or empty bytes. A set with one empty member has no bytes either, but cannot be a key. */
export function isEmptyKey(value: AttributeValue): boolean {
  return ('S' in value && value.S === '') || ('B' in value && value.B.length === 0)
}
