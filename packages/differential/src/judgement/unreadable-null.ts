import { isJsonObject } from '../json.js'

/** What the members of a JSON object are: of a structure, attributes by name, or the types of one value. */
type Kind = 'structure' | 'attributes' | 'value' | 'tables'

/** The members of requests that hold attribute values by name. The elements of `Keys` do too. */
const ATTRIBUTES = new Set(['Item', 'Key', 'Keys', 'ExclusiveStartKey', 'ExpressionAttributeValues'])

/**
 * Whether a request has a null that cannot be read: an element of a list, an attribute, or a table of a batch. A null
 * member of a structure means the same as a missing one.
 */
export function hasUnreadableNull(value: unknown, kind: Kind = 'structure'): boolean {
  if (Array.isArray(value)) return value.some((each) => each === null || hasUnreadableNull(each, kind))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, member]) => {
    if (member === null) return kind === 'attributes' || kind === 'tables'
    const inner = kindOf(name, kind)
    return inner !== undefined && hasUnreadableNull(member, inner)
  })
}

function kindOf(name: string, within: Kind): Kind | undefined {
  if (within === 'attributes') return 'value'
  if (within === 'value') return name === 'M' ? 'attributes' : name === 'L' ? 'value' : undefined
  if (ATTRIBUTES.has(name)) return 'attributes'
  return within === 'structure' && name === 'RequestItems' ? 'tables' : 'structure'
}
