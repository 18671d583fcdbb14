import type { AttributeValue } from './attribute-value.js'

/** How many lists and maps lie inside one another: 0 for a plain value, 1 for a list of plain values. */
export function nestingDepth(value: AttributeValue): number {
  if ('L' in value) return 1 + deepest(value.L)
  if ('M' in value) return 1 + deepest(Object.values(value.M))
  return 0
}

function deepest(values: readonly AttributeValue[]): number {
  let depth = 0
  for (const value of values) depth = Math.max(depth, nestingDepth(value))
  return depth
}
