import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { type Expressions, freePlaceholder } from '../sdk/placeholders.js'

/** The library's own conditions on an item before it is written. */
export interface Guards {
  /** The item must exist. */
  readonly exists: boolean
  /** The item must not be being moved, because a move copies it in the state when it was marked. */
  readonly unmoved: boolean
}

/** Adds the guards to the application's own condition. */
export function guarded(texts: Expressions, partitionKey: string, guards: Guards): Expressions {
  const conditions = []
  let names = texts.ExpressionAttributeNames
  // mark: write-demands-its-item
  if (guards.exists) {
    const placeholder = freePlaceholder('#isotherm_key', names)
    names = { ...names, [placeholder]: partitionKey }
    conditions.push(`attribute_exists(${placeholder})`)
  }
  // mark: write-respects-a-move
  if (guards.unmoved) conditions.push(`attribute_not_exists(${MOVE_ATTRIBUTES.moving})`)
  if (conditions.length === 0) return texts
  if (texts.ConditionExpression !== undefined) {
    // The service should reject it unchanged, because inside parentheses it could become a different, valid condition.
    if (!isWhole(texts.ConditionExpression)) return texts
    conditions.push(`(${texts.ConditionExpression})`)
  }
  return {
    ...texts,
    ConditionExpression: conditions.join(' AND '),
    ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
  }
}

/**
 * Whether parentheses around the text would not change its meaning, if it is a condition. Expressions have no literals.
 */
export function isWhole(condition: string): boolean {
  let depth = 0
  for (const character of condition) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && condition.trim() !== ''
}
