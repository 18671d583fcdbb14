import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { type Expressions, freePlaceholder } from '../sdk/placeholders.js'

/** The library's own conditions on an item before it is written. */
export interface Guards {
  /** The item must exist. */
  readonly exists: boolean
  /** The item must not be being moved, because a move copies it in the state when it was marked. */
  readonly unmoved: boolean
}

const IS_UNMOVED = `attribute_not_exists(${MOVE_ATTRIBUTES.moving})`

/**
 * Adds the guards to the application's own condition.
 * @returns a copy, or the same object if nothing was added
 */
export function guarded<Texts extends Expressions>(
  texts: Texts,
  partitionKey: string,
  guards: Guards,
): Texts {
  let names = texts.ExpressionAttributeNames
  let condition = ''
  // mark: write-demands-its-item
  if (guards.exists) {
    const placeholder = freePlaceholder('#isotherm_key', names)
    names = { ...names, [placeholder]: partitionKey }
    condition = `attribute_exists(${placeholder})`
  }
  // mark: write-respects-a-move
  if (guards.unmoved) condition = condition === '' ? IS_UNMOVED : `${condition} AND ${IS_UNMOVED}`
  if (condition === '') return texts
  if (texts.ConditionExpression !== undefined) {
    // The service should reject it unchanged, because inside parentheses it could become a different, valid condition.
    if (!isWhole(texts.ConditionExpression)) return texts
    condition = `${condition} AND (${texts.ConditionExpression})`
  }
  // Not `{ ...texts, ConditionExpression }`: V8 takes half a microsecond for each member that is new in such a literal, which is ten times
  // as long as for this copy, and every guarded write pays for it.
  const added: { -readonly [Name in keyof Texts]: Texts[Name] } = Object.assign({}, texts, {
    ConditionExpression: condition,
  })
  if (names !== undefined) added.ExpressionAttributeNames = names
  return added
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
