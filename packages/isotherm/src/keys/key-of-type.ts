import type { LogicalKey, SuffixableKey } from './key.js'

/** A key of the type that a table's partition key has. Only its type means something. */
export function keyOfType(type: string | undefined): LogicalKey {
  const key: SuffixableKey = type === 'B' ? { B: new Uint8Array(1) } : { S: '' }
  return key as LogicalKey
}
