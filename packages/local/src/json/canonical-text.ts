import { isJsonObject } from './json-kind.js'

/**
 * Prints a request so that two requests have the same text only if they mean the same, for any order of their members.
 * Some clients send maps in a new order each time. Members that are null are omitted. Binary values may be bytes or
 * base64.
 */
export function canonicalText(value: unknown): string {
  // Every value is prefixed by its type and length, so no two different values have the same text.
  if (typeof value === 'string') return `${value.length} ${value}`
  if (Array.isArray(value)) {
    let text = `list ${value.length} `
    for (const member of value) text += canonicalText(member)
    return text
  }
  if (isJsonObject(value) && !(value instanceof Uint8Array)) {
    const names: string[] = []
    for (const name in value) if (value[name] !== undefined && value[name] !== null) names.push(name)
    // An attribute value has just one member, and needs no sorting.
    if (names.length > 1) names.sort()
    let text = `map ${names.length} `
    for (const name of names) text += `${name.length} ${name}${canonicalText(value[name])}`
    return text
  }
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
  return `${text.length} ${text}`
}
