import type { KeyValue } from '@isotherm/semantics'
import { ITEM_HASHES } from '../../protocol/index.js'

/** The class of an item among `ITEM_HASHES`. Items of one key differ in their sort keys. */
export function itemHash(sort: KeyValue): number {
  const [content = ''] = Object.values(sort) as (string | Uint8Array)[]
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
  // FNV-1a.
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) % ITEM_HASHES
}
