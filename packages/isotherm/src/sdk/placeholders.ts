import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** The expressions of a request, with the values of their placeholders. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined
  readonly UpdateExpression?: string | undefined
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
  readonly ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}

/** The placeholders of the key attributes' names in the library's own expressions. */
export const PARTITION_NAME = '#isotherm_partition'
export const SORT_NAME = '#isotherm_sort'

/** Global, so use it only with `match`, `matchAll` and `replace`. */
export const PLACEHOLDER = /[#:][A-Za-z0-9_]+/g

/** Returns a placeholder that the request does not use yet. */
export function freePlaceholder(wanted: string, taken: object = {}): string {
  let free = wanted
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${wanted}_${number}`
  return free
}

/**
 * Whether the text may mention the attribute. It may return true for a text that does not, but never false for one that
 * does.
 */
export function mentions(
  text: string,
  names: Record<string, string> | undefined,
  attribute: string,
): boolean {
  return text.includes(attribute) || (names !== undefined && Object.values(names).includes(attribute))
}

/** Expressions have no literals, so everything that looks like a placeholder is one. */
export function placeholdersIn(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const text of texts) for (const placeholder of text?.match(PLACEHOLDER) ?? []) found.add(placeholder)
  return found
}

/**
 * Removes members from a placeholder map. Returns `undefined` when none are left, because the service rejects an empty
 * map.
 */
export function without<Value>(
  map: Record<string, Value> | undefined,
  isGone: (placeholder: string) => boolean,
): Record<string, Value> | undefined {
  if (map === undefined) return undefined
  const kept = Object.entries(map).filter(([placeholder]) => !isGone(placeholder))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
