declare const kind: unique symbol

/** A partition key value that can have a suffix: text or bytes, in the form of the SDK's low-level commands. */
export type SuffixableKey = { readonly S: string } | { readonly B: Uint8Array }

/** A partition key value as the application knows it. */
export type LogicalKey = SuffixableKey & { readonly [kind]: 'logical' }

/** A stored partition key value, including its suffix. */
export type PhysicalKey = SuffixableKey & { readonly [kind]: 'physical' }

/** The key as text, for maps and caches. All keys of a table have the same type, so text and bytes cannot collide. */
export function keyText(key: LogicalKey): string {
  return 'S' in key ? key.S : Buffer.from(key.B).toString('latin1')
}

/** The key as the application knows it: text or bytes, without the type. */
export function plainKey(key: LogicalKey): string | Uint8Array {
  return 'S' in key ? key.S : key.B
}
