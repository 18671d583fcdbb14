import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { type Expressions, freePlaceholder } from '../sdk/placeholders.js'

/** What the library itself asks of an item before it is written. */
export interface Guards {
  /** That there is one. */
  readonly exists: boolean
  /** That it is not being moved: a move takes the item as it was when it was marked. */
  readonly unmoved: boolean
}

/** The texts of a request with the guards added to the user's own condition. */
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
    // The service shall refuse it as it stands: between the parentheses it could become another one.
    if (!isWhole(texts.ConditionExpression)) return texts
    conditions.push(`(${texts.ConditionExpression})`)
  }
  return {
    ...texts,
    ConditionExpression: conditions.join(' AND '),
    ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
  }
}

/** Whether the text, if it is a condition, stays the same one in parentheses. Expressions have no literals. */
export function isWhole(condition: string): boolean {
  let depth = 0
  for (const character of condition) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && condition.trim() !== ''
}
