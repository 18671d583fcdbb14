import { compareKeyValues, type KeyValue } from '@isotherm/semantics'
import type { JsonValue } from './item.js'

/** The order of two sort keys of the same type. Tables without a sort key have none. */
export function compareSortKeys(one: JsonValue | undefined, other: JsonValue | undefined): number {
  if (one === undefined || other === undefined) return 0
  return compareKeyValues(keyValue(one), keyValue(other)) ?? 0
}

function keyValue({ S, N, B }: JsonValue): KeyValue {
  if (S !== undefined) return { S: String(S) }
  if (N !== undefined) return { N: String(N) }
  return { B: Uint8Array.from(atob(String(B)), (character) => character.charCodeAt(0)) }
}
