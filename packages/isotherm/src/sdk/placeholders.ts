import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** The texts of a request, and what their placeholders stand for. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined
  readonly UpdateExpression?: string | undefined
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
  readonly ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}

/** The placeholders of the key attributes' names in the library's own texts. */
export const PARTITION_NAME = '#isotherm_partition'
export const SORT_NAME = '#isotherm_sort'

/** Global, so for `match`, `matchAll` and `replace` alone. */
export const PLACEHOLDER = /[#:][A-Za-z0-9_]+/g

/** A placeholder that the request does not use for something else. */
export function freePlaceholder(wanted: string, taken: object = {}): string {
  let free = wanted
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${wanted}_${number}`
  return free
}

/** Whether the text may speak of the attribute; yes where it does not, now and then, never no where it does. */
export function mentions(
  text: string,
  names: Record<string, string> | undefined,
  attribute: string,
): boolean {
  return text.includes(attribute) || (names !== undefined && Object.values(names).includes(attribute))
}

/** Expressions have no literals, so whatever looks like a placeholder is one. */
export function placeholdersIn(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text?.match(PLACEHOLDER) ?? []))
}

/** The map without some of its members; without any, no map at all, since the service refuses an empty one. */
export function without<Value>(
  map: Record<string, Value> | undefined,
  isGone: (placeholder: string) => boolean,
): Record<string, Value> | undefined {
  if (map === undefined) return undefined
  const kept = Object.entries(map).filter(([placeholder]) => !isGone(placeholder))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
