import type { AttributeValue } from './attribute-value.js'

/** Text or bytes of no length; a set of one empty member has no bytes either, but is no key. */
export function isEmptyKey(value: AttributeValue): boolean {
  return ('S' in value && value.S === '') || ('B' in value && value.B.length === 0)
}

/** What the service says of an empty value: of a key, it names the attribute behind it. */
export function emptyKeyText(value: AttributeValue): string {
  return `The AttributeValue for a key attribute cannot contain an empty ${'S' in value ? 'string' : 'binary'} value.`
}
