import type { LogicalKey, SuffixableKey } from './key.js'

/** A key with a text behind it. */
export function withEnd(key: SuffixableKey, end: string): SuffixableKey {
  return 'S' in key ? { S: key.S + end } : { B: Buffer.concat([key.B, Buffer.from(end)]) }
}

/** The key before this text. `undefined` if it does not end with it, or is nothing else. */
export function withoutEnd(key: SuffixableKey, end: string): LogicalKey | undefined {
  if ('S' in key) {
    const isLonger = key.S.length > end.length && key.S.endsWith(end)
    return isLonger ? ({ S: key.S.slice(0, -end.length) } as SuffixableKey as LogicalKey) : undefined
  }
  const bytes = Buffer.from(end)
  const start = key.B.length - bytes.length
  const isLonger = start > 0 && bytes.equals(key.B.subarray(start))
  return isLonger ? ({ B: key.B.subarray(0, start) } as SuffixableKey as LogicalKey) : undefined
}
