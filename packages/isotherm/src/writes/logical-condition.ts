import {
  bindCondition,
  type ConditionAst,
  conditionPaths,
  type Item,
  matches,
  Placeholders,
  parseCondition,
  printCondition,
} from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import { type Expressions, freePlaceholder, mentions, placeholdersIn, without } from '../sdk/placeholders.js'

/** The item that a condition concerns: its table, its key attributes, and their names. */
export interface ConditionSubject {
  readonly table: string
  readonly operation: string
  readonly partitionKey: string
  /** The primary key, as the application knows it. */
  readonly key: Item
}

type LeafAst = Exclude<ConditionAst, { readonly kind: 'and' | 'or' | 'not' }>

const PARAMETER = 'ConditionExpression'

/**
 * Rewrites the application's condition for an item with a physical key.
 *
 * Comparisons with the partition key's value, such as `pk = :pk`, are evaluated here, where the logical value is known.
 * They are either true or false for the item if it exists, so each becomes a check of the item's existence.
 *
 * @throws IsothermError `command.parameter-unsupported` when the key's value is compared with another attribute;
 * ValidationError with the service's text
 */
export function logicalCondition<Texts extends Expressions>(texts: Texts, subject: ConditionSubject): Texts {
  const { ConditionExpression: text, ExpressionAttributeNames: names } = texts
  if (text === undefined || !mentions(text, names, subject.partitionKey)) return texts
  const rewriter = new Rewriter(texts, subject)
  const condition = rewriter.rewrite(parseCondition(PARAMETER, text))
  return rewriter.hasAnswered ? { ...texts, ...rewriter.texts(condition) } : texts
}

class Rewriter {
  readonly #texts: Expressions
  readonly #subject: ConditionSubject
  readonly #placeholders: Placeholders
  readonly #name: string
  hasAnswered = false

  constructor(texts: Expressions, subject: ConditionSubject) {
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = texts
    this.#texts = texts
    this.#subject = subject
    this.#placeholders = new Placeholders(names, values as Item | undefined)
    this.#name = freePlaceholder('#isotherm_key_value', names)
  }

  rewrite(condition: ConditionAst): ConditionAst {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return { ...condition, left: this.rewrite(condition.left), right: this.rewrite(condition.right) }
      case 'not':
        return { ...condition, condition: this.rewrite(condition.condition) }
      default:
        return this.#leaf(condition)
    }
  }

  texts(condition: ConditionAst): Expressions {
    const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = this.#texts
    const text = printCondition(condition)
    const before = placeholdersIn(this.#texts.ConditionExpression)
    const after = placeholdersIn(text, UpdateExpression)
    // Placeholders that were unused before remain, so that the service rejects them.
    const isGone = (placeholder: string) => before.has(placeholder) && !after.has(placeholder)
    const names = { ...ExpressionAttributeNames, [this.#name]: this.#subject.partitionKey }
    return {
      ConditionExpression: text,
      ExpressionAttributeNames: without(names, isGone),
      ExpressionAttributeValues: without(ExpressionAttributeValues, isGone),
    }
  }

  #leaf(leaf: LeafAst): ConditionAst {
    const { table, operation, partitionKey, key } = this.#subject
    const bound = bindCondition(PARAMETER, leaf, this.#placeholders)
    if (bound.kind === 'exists') return leaf
    const paths = conditionPaths(bound)
    if (!paths.some(([name, ...below]) => name === partitionKey && below.length === 0)) return leaf
    if (paths.some(([name]) => !Object.hasOwn(key, name))) {
      throw refuseParameter(
        table,
        operation,
        `a comparison of the partition key ${partitionKey} with another attribute in its ConditionExpression`,
        'Compare it with a value: what is stored has a suffix.',
      )
    }
    this.hasAnswered = true
    return this.#existence(matches(bound, key), matches(bound))
  }

  /** A condition with one result for an existing item and another for a missing one. */
  #existence(ifThere: boolean, ifMissing: boolean): ConditionAst {
    const there = this.#exists('attribute_exists')
    const missing = this.#exists('attribute_not_exists')
    if (ifThere === ifMissing) return { kind: ifThere ? 'or' : 'and', left: there, right: missing }
    return ifThere ? there : missing
  }

  #exists(name: 'attribute_exists' | 'attribute_not_exists'): ConditionAst {
    return { kind: 'function', name, operands: [{ kind: 'path', steps: [{ placeholder: this.#name }] }] }
  }
}
