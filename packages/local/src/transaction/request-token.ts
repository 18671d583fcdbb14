import { hash } from 'node:crypto'
import { canonicalText } from '../json/canonical-text.js'

/** A short text that two requests share only if `canonicalText` prints them the same. */
export function requestFingerprint(request: unknown): string {
  // Hashed in one call, which is several times faster than many updates of a hash.
  return hash('sha256', canonicalText(request), 'base64url')
}

/** The client's token of a transaction, with the fingerprint of its request. */
export interface RequestToken {
  readonly text: string
  readonly fingerprint: string
}

/** @param request the part of the request that a retry must repeat. */
export function requestToken(text: string | undefined, request: unknown): RequestToken | undefined {
  return text === undefined ? undefined : { text, fingerprint: requestFingerprint(request) }
}
