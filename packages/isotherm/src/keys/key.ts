declare const kind: unique symbol

/** A partition key value that can carry a suffix: text or bytes, as the SDK's low-level commands have it. */
export type SuffixableKey = { readonly S: string } | { readonly B: Uint8Array }

/** The partition key value that the application knows. */
export type LogicalKey = SuffixableKey & { readonly [kind]: 'logical' }

/** The partition key value that is stored, suffix included. */
export type PhysicalKey = SuffixableKey & { readonly [kind]: 'physical' }

/** A name for the key in maps and caches. A table's keys have one type, so text and bytes do not meet. */
export function keyText(key: LogicalKey): string {
  return 'S' in key ? key.S : Buffer.from(key.B).toString('latin1')
}

/** What the application would recognise as its key: text or bytes, without the type around it. */
export function plainKey(key: LogicalKey): string | Uint8Array {
  return 'S' in key ? key.S : key.B
}
