import { isJsonObject } from './json-kind.js'

/**
 * A text that two values of requests share only if they say the same, in whatever order their members come: some clients
 * send maps in a new order each time. Members that are null are left out. Binary may come as bytes or as base64.
 */
export function canonicalText(value: unknown): string {
  // Every value is preceded by what it is and how long, so no two have the same text.
  if (typeof value === 'string') return `${value.length} ${value}`
  if (Array.isArray(value)) {
    let text = `list ${value.length} `
    for (const member of value) text += canonicalText(member)
    return text
  }
  if (isJsonObject(value) && !(value instanceof Uint8Array)) {
    const names: string[] = []
    for (const name in value) if (value[name] !== undefined && value[name] !== null) names.push(name)
    // An attribute's value has just one member.
    if (names.length > 1) names.sort()
    let text = `map ${names.length} `
    for (const name of names) text += `${name.length} ${name}${canonicalText(value[name])}`
    return text
  }
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
  return `${text.length} ${text}`
}
