import { createHash, type Hash } from 'node:crypto'
import { isJsonObject } from '../wire/json-kind.js'

/**
 * A short text that two requests share only if they say the same, in whatever order their members come: some clients
 * send maps in a new order each time. Binary may come as bytes or as base64.
 */
export function requestFingerprint(request: unknown): string {
  const hash = createHash('sha256')
  feed(hash, request)
  return hash.digest('base64url')
}

/** Every value is preceded by what it is and how long, so no two requests feed the same text. */
function feed(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) {
    hash.update(`list ${value.length} `)
    for (const member of value) feed(hash, member)
  } else if (isJsonObject(value) && !(value instanceof Uint8Array)) {
    const names = Object.keys(value).filter((name) => value[name] !== undefined && value[name] !== null)
    hash.update(`map ${names.length} `)
    for (const name of names.sort()) {
      feed(hash, name)
      feed(hash, value[name])
    }
  } else {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)
    hash.update(`${text.length} ${text}`)
  }
}
