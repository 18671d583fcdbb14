import type { AttributeValue, Item } from '../attribute-value.js'
import { attributeOf } from '../expressions/document-path.js'
import { defineAttribute } from '../expressions/write-path.js'
import { MAX_CONTAINER_DEPTH } from '../limits.js'
import { canonicalNumber } from '../number/canonical-number.js'
import { invalidParametersText } from '../texts/parameters.js'
import { TOO_NESTED_TEXT } from '../texts/values.js'
import { ValidationError } from '../validation-error.js'
import type { ExpressionAst, TupleExpression } from './statement-ast.js'
import { emptyName, refused } from './statement-error.js'

/** Values of a statement's parameters, in the order of its question marks. */
export type Parameters = readonly AttributeValue[]

const ROOT = 'root'

/** Whether the expression is a literal value or a parameter. */
export function isLiteral({ kind }: ExpressionAst): boolean {
  return LITERALS.has(kind)
}

const LITERALS: ReadonlySet<ExpressionAst['kind']> = new Set<ExpressionAst['kind']>([
  'string',
  'number',
  'boolean',
  'null',
  'list',
  'bag',
  'tuple',
  'parameter',
])

/**
 * The value of a literal or a parameter. A parameter is always a whole value, never a part of one.
 * @throws ValidationError for anything that is not a value, and for values that DynamoDB cannot store.
 */
export function literalValue(expression: ExpressionAst, parameters: Parameters): AttributeValue {
  if (expression.kind !== 'parameter') return valueUnder(expression, ROOT, 0)
  const value = parameters[expression.index]
  if (value === undefined) throw new TypeError('Parameters are counted before their values are asked for.')
  return value
}

/** The item of an INSERT. @throws ValidationError */
export function literalItem(tuple: TupleExpression, parameters: Parameters): Item {
  return membersOf(tuple, ROOT, (value) => literalValue(value, parameters))
}

function valueUnder(expression: ExpressionAst, key: string, depth: number): AttributeValue {
  switch (expression.kind) {
    case 'string':
      return { S: expression.text }
    case 'number':
      return { N: numberUnder(expression.text, key) }
    case 'boolean':
      return { BOOL: expression.value }
    case 'null':
      return { NULL: true }
    case 'list': {
      const inside = deeper(depth)
      return { L: expression.members.map((member, index) => valueUnder(member, `${key}[${index}]`, inside)) }
    }
    case 'bag':
      return setOf(expression.members, key)
    case 'tuple': {
      const inside = deeper(depth)
      return { M: membersOf(expression, key, (value, name) => valueUnder(value, `${key}.${name}`, inside)) }
    }
    default:
      throw refused(
        `Unsupported data type: ${describe(expression, depth)} under key ${key} at ${expression.at}`,
      )
  }
}

function deeper(depth: number): number {
  if (depth < MAX_CONTAINER_DEPTH) return depth + 1
  throw refused(TOO_NESTED_TEXT)
}

function membersOf(
  { members }: TupleExpression,
  key: string,
  decode: (value: ExpressionAst, name: string) => AttributeValue,
): Item {
  const item: Item = {}
  for (const member of members) {
    const { kind, at } = member.key
    if (member.key.kind !== 'string') {
      const type = kind === 'path' ? 'VariableReference' : kind === 'number' ? 'INT' : kind.toUpperCase()
      throw refused(`Tuple keys must be of type String. Actual type: ${type} under ${key} at ${at}`)
    }
    const name = member.key.text
    if (name === '') throw emptyName()
    if (attributeOf(item, name) !== undefined) {
      throw refused(`Duplicate keys in tuple. Key: ${name} under ${key} at ${at}`)
    }
    defineAttribute(item, name, decode(member.value, name))
  }
  return item
}

function setOf(members: readonly ExpressionAst[], key: string): AttributeValue {
  const [first] = members
  if (first === undefined) throw refused('Empty bags are not supported')
  const texts = members.map((member) => {
    const isMember = (member.kind === 'string' || member.kind === 'number') && member.kind === first.kind
    if (!isMember) {
      throw refused(
        `Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags at ${member.at}`,
      )
    }
    return member.kind === 'number' ? numberUnder(member.text, key) : member.text
  })
  if (new Set(texts).size < texts.length) {
    throw refused(invalidParametersText(`Input collection [${texts.join(', ')}] contains duplicates.`))
  }
  return first.kind === 'number' ? { NS: texts } : { SS: texts }
}

function numberUnder(text: string, key: string): string {
  try {
    return canonicalNumber(text)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(error.code, `${error.message} under ${key}`)
  }
}

/** The service's name for something that is not a value. */
function describe(expression: ExpressionAst, depth: number): string {
  switch (expression.kind) {
    case 'path':
      return depth === 0 ? expression.path[0] : 'VariableReference'
    case 'parameter':
      return 'Parameter'
    case 'call':
      return expression.name
    case 'binary':
    case 'unary':
      return expression.operator
    default:
      return expression.kind.toUpperCase()
  }
}
