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
    let text = listStart(value.length)
    for (const member of value) text += canonicalText(member)
    return text
  }
  if (isJsonObject(value) && !(value instanceof Uint8Array)) {
    // Most maps are attribute values, which have just one member and need no list of names.
    let first: string | undefined
    let names: string[] | undefined
    for (const name in value) {
      if (value[name] === undefined || value[name] === null) continue
      if (first === undefined) first = name
      else if (names === undefined) names = [first, name]
      else names.push(name)
    }
    if (first === undefined) return 'map 0 '
    if (names === undefined) return `map 1 ${memberText(first, value[first])}`
    let text = `map ${names.length} `
    for (const name of names.sort()) text += memberText(name, value[name])
    return text
  }
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
  return `${text.length} ${text}`
}

/** The text of a list, in front of the texts of its members. */
export function listStart(length: number): string {
  return `list ${length} `
}

function memberText(name: string, value: unknown): string {
  return `${name.length} ${name}${canonicalText(value)}`
}
