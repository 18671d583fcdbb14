import type { AttributeValue, Item } from '../attribute-value.js'
import { MAX_ATTRIBUTE_NAME_BYTES, MAX_PLACEHOLDER_BYTES } from '../limits.js'
import { longNameText, NO_DATATYPE_TEXT } from '../texts/values.js'
import { utf8Length } from '../utf8.js'
import { ValidationError } from '../validation-error.js'
import { attributeOf, type DocumentPath, type PathAst } from './document-path.js'
import { type ExpressionParameter, invalid } from './lexer.js'

/** Names by `#placeholder`, as in ExpressionAttributeNames. */
export type AttributeNames = { readonly [placeholder: string]: string }

/**
 * The values of one request's placeholders. All expressions of the request are resolved against the same object,
 * because at least one of them must use each placeholder.
 *
 * @example
 * const placeholders = new Placeholders({ '#s': 'status' }, { ':new': { S: 'new' } })
 * const bound = bindCondition(parseCondition('ConditionExpression', '#s = :new'), placeholders)
 * assertAllUsed(placeholders)
 */
export class Placeholders {
  /** The names and values as they were given. */
  readonly names: AttributeNames
  readonly values: Item
  readonly #used = new Set<string>()

  /** @throws ValidationError for a key that is not a placeholder and for a name that no attribute can have. */
  constructor(names: AttributeNames = {}, values: Item = {}) {
    this.names = names
    this.values = values
    for (const key in names) {
      checkKey('ExpressionAttributeNames', '#', key)
      checkName(key, names[key] ?? '')
    }
    for (const key in values) checkKey('ExpressionAttributeValues', ':', key)
  }

  /** @throws ValidationError when the placeholder is not defined. */
  value(parameter: ExpressionParameter, placeholder: string): AttributeValue {
    const value = attributeOf(this.values, placeholder)
    if (value === undefined) {
      throw invalid(
        parameter,
        `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      )
    }
    this.#used.add(placeholder)
    const held = withOneMember(value)
    if (held !== undefined) return held
    throw new ValidationError(
      'expression.placeholder',
      `ExpressionAttributeValues contains invalid value: ${NO_DATATYPE_TEXT} for key ${placeholder}`,
    )
  }

  /** @throws ValidationError when a name of the path is not defined. */
  path(parameter: ExpressionParameter, { steps }: PathAst): DocumentPath {
    const [first, ...rest] = steps
    const resolved = (step: (typeof steps)[number]) =>
      'index' in step ? step.index : 'name' in step ? step.name : this.#name(parameter, step.placeholder)
    return [String(resolved(first)), ...rest.map(resolved)]
  }

  isUsed(placeholder: string): boolean {
    return this.#used.has(placeholder)
  }

  #name(parameter: ExpressionParameter, placeholder: string): string {
    if (!Object.hasOwn(this.names, placeholder)) {
      throw invalid(
        parameter,
        `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      )
    }
    this.#used.add(placeholder)
    return this.names[placeholder] ?? placeholder
  }
}

/**
 * The value with one member, which has its type. Untyped callers also send other values. As in the SDK, members that are
 * `undefined` are none.
 */
function withOneMember(value: unknown): AttributeValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const given = Object.entries(value).filter(([, held]) => held !== undefined)
  const [[type, held] = [], ...more] = given
  if (type === undefined || more.length > 0 || held === null) return undefined
  if ((type === 'S' || type === 'N') && typeof held !== 'string') return undefined
  return (Object.keys(value).length === 1 ? value : { [type]: held }) as AttributeValue
}

function checkKey(member: string, sign: '#' | ':', key: string): void {
  if (!/^[#:][A-Za-z0-9_]+$/.test(key) || key[0] !== sign) {
    throw new ValidationError(
      'expression.placeholder',
      `${member} contains invalid key: Syntax error; key: "${key}"`,
    )
  }
  if (key.length > MAX_PLACEHOLDER_BYTES) {
    throw new ValidationError(
      'expression.placeholder',
      // For values the service does not report the size.
      `${member} contains invalid key: The expression attribute map contains a key that is too long;${sign === '#' ? ` size of key: ${key.length}` : ''}`,
    )
  }
}

function checkName(key: string, name: string): void {
  if (name === '') throw invalidName(`Empty attribute name for key ${key}`)
  if (name.length > MAX_ATTRIBUTE_NAME_BYTES || utf8Length(name) > MAX_ATTRIBUTE_NAME_BYTES) {
    throw invalidName(`${longNameText()} for key ${key}`)
  }
}

function invalidName(what: string): ValidationError {
  return new ValidationError(
    'expression.attribute-name',
    `ExpressionAttributeNames contains invalid value: ${what}`,
  )
}
