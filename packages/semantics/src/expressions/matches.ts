import { attributeType } from '../attribute-type.js'
import type { AttributeValue, Item } from '../attribute-value.js'
import { compareBytes, compareKeyValues, isKeyValue } from '../compare-values.js'
import { containsBytes, containsText } from '../contains-text.js'
import { equalValues } from '../equal-values.js'
import { hasElement } from '../list-search.js'
import type { BoundCondition } from './bind-condition.js'
import type { Comparator } from './condition-ast.js'
import { valueAt } from './document-path.js'
import type { BoundOperand } from './operand-binder.js'

const NOTHING: Item = {}

/**
 * Whether the condition holds for the item. An item that does not exist has no attributes.
 *
 * A comparison with a missing attribute is false, except `<>`, which is true. An ordering of two values of different
 * types is false too.
 *
 * @example
 * matches(bound, { pk: { S: '/' }, version: { N: '6' } })
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function matches(condition: BoundCondition, item: Item = NOTHING): boolean {
  switch (condition.kind) {
    case 'and':
      return matches(condition.left, item) && matches(condition.right, item)
    case 'or':
      return matches(condition.left, item) || matches(condition.right, item)
    case 'not':
      return !matches(condition.condition, item)
    case 'compare':
      return compare(condition.operator, resolve(condition.left, item), resolve(condition.right, item))
    case 'between': {
      const value = resolve(condition.operand, item)
      return (
        compare('>=', value, resolve(condition.from, item)) &&
        compare('<=', value, resolve(condition.to, item))
      )
    }
    case 'in': {
      const value = resolve(condition.operand, item)
      return condition.options.some((option) => compare('=', value, resolve(option, item)))
    }
    case 'exists':
      return (resolve(condition.path, item) !== undefined) === condition.wanted
    case 'type': {
      const value = resolve(condition.operand, item)
      return value !== undefined && attributeType(value) === condition.type
    }
    case 'begins_with':
      return beginsWith(resolve(condition.operand, item), resolve(condition.part, item))
    case 'contains':
      return contains(resolve(condition.operand, item), resolve(condition.part, item))
  }
}

function resolve(operand: BoundOperand, item: Item): AttributeValue | undefined {
  if (operand.kind === 'value') return operand.value
  if (operand.kind === 'path') return valueAt(item, operand.path)
  const value = resolve(operand.operand, item)
  const size = value === undefined ? undefined : sizeOf(value)
  return size === undefined ? undefined : { N: String(size) }
}

/**
 * The result of the function `size`: UTF-16 units for strings (unlike an item's size, which counts UTF-8 bytes), bytes
 * for binary, members for documents and sets. Other scalars have no size.
 *
 * Source: measured on the service, https://github.com/ExtendDB/extenddb/pull/67
 */
function sizeOf(value: AttributeValue): number | undefined {
  if ('S' in value) return value.S.length
  if ('B' in value) return value.B.length
  if ('L' in value) return value.L.length
  if ('M' in value) return Object.keys(value.M).length
  if ('SS' in value) return value.SS.length
  if ('NS' in value) return value.NS.length
  if ('BS' in value) return value.BS.length
  return undefined
}

function compare(
  operator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return operator === '<>'
  if (operator === '=') return equalValues(left, right)
  if (operator === '<>') return !equalValues(left, right)
  if (!isKeyValue(left) || !isKeyValue(right)) return false
  const order = compareKeyValues(left, right)
  if (order === undefined) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value === undefined || prefix === undefined) return false
  if ('S' in value) return 'S' in prefix && value.S.startsWith(prefix.S)
  if ('B' in value) return 'B' in prefix && compareBytes(value.B.subarray(0, prefix.B.length), prefix.B) === 0
  return false
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (value === undefined || part === undefined) return false
  if ('S' in value) return 'S' in part && containsText(value.S, part.S)
  if ('L' in value) return hasElement(value.L, part)
  if ('SS' in value) return 'S' in part && value.SS.includes(part.S)
  if ('NS' in value) return 'N' in part && value.NS.includes(part.N)
  if ('BS' in value) return 'B' in part && value.BS.some((member) => compareBytes(member, part.B) === 0)
  return 'B' in value && 'B' in part && containsBytes(value.B, part.B)
}
