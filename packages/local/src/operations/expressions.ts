import {
  type AttributeNames,
  type BoundCondition,
  type BoundUpdate,
  bindCondition,
  bindProjection,
  bindUpdate,
  type ConditionAst,
  type ExpressionParameter,
  isReservedWord,
  Placeholders,
  type Projection,
  type ProjectionAst,
  parseCondition,
  parseProjection,
  parseUpdate,
  type UpdateAst,
} from '@isotherm/semantics'
import { LRUCache } from 'lru-cache'
import { validationException } from '../errors/service-error.js'
import { decodePlaceholders } from '../validation/decode-item.js'

/** Applications have tens of expressions; what is parsed once need not be parsed again. */
const CACHED_EXPRESSIONS = 2000

/** One for each parameter: a text may be right in one and wrong in another, and to join the two for a key takes longer. */
const conditions = new Map<ExpressionParameter, LRUCache<string, ConditionAst>>()
const updates = new LRUCache<string, UpdateAst>({ max: CACHED_EXPRESSIONS })
const projections = new LRUCache<string, ProjectionAst>({ max: CACHED_EXPRESSIONS })

/** The members of a request that expressions are written in and resolved by. */
export interface ExpressionInput {
  readonly ExpressionAttributeNames?: AttributeNames
  readonly ExpressionAttributeValues?: { readonly [placeholder: string]: unknown }
}

const NO_PLACEHOLDERS = new Placeholders()

/**
 * The placeholders of a request.
 *
 * @param expressions the request's expressions; placeholders without any expression are refused.
 * @param namesValues whether an operation says which value it cannot read, as those do that are older on the service.
 * @throws ServiceError
 */
export function placeholdersOf(
  { ExpressionAttributeNames: names, ExpressionAttributeValues: givenValues }: ExpressionInput,
  expressions: { readonly [parameter: string]: string | undefined },
  namesValues = false,
): Placeholders {
  if (names === undefined && givenValues === undefined) return NO_PLACEHOLDERS
  const takers = Object.keys(expressions).filter((parameter) => parameter !== 'ProjectionExpression')
  // Nothing that only projects has such a parameter, and what is no parameter is ignored.
  const values = takers.length === 0 ? undefined : givenValues
  if (names !== undefined && Object.values(expressions).every((expression) => expression === undefined)) {
    throw validationException('ExpressionAttributeNames can only be specified when using expressions')
  }
  if (values !== undefined && takers.every((parameter) => expressions[parameter] === undefined)) {
    throw validationException(
      `ExpressionAttributeValues can only be specified when using expressions: ${takers.join(' and ')} ${takers.length > 1 ? 'are' : 'is'} null`,
    )
  }
  if (names !== undefined && Object.keys(names).length === 0) {
    throw validationException('ExpressionAttributeNames must not be empty')
  }
  if (values !== undefined && Object.keys(values).length === 0) {
    throw validationException('ExpressionAttributeValues must not be empty')
  }
  return new Placeholders(names, values === undefined ? undefined : decodePlaceholders(values, namesValues))
}

/** The parsed expression, from the cache if it was seen before. */
export function conditionAst(parameter: ExpressionParameter, text: string): ConditionAst {
  let parsed = conditions.get(parameter)
  if (parsed === undefined) {
    parsed = new LRUCache({ max: CACHED_EXPRESSIONS })
    conditions.set(parameter, parsed)
  }
  return cached(parsed, text, () => parseCondition(parameter, text, isReservedWord))
}

export function updateAst(text: string): UpdateAst {
  return cached(updates, text, () => parseUpdate(text, isReservedWord))
}

/** An update ready to be applied. */
export function boundUpdate(text: string, placeholders: Placeholders): BoundUpdate {
  return bindUpdate(updateAst(text), placeholders)
}

/** A condition ready to be asked; nothing when there is none. */
export function boundCondition(
  parameter: ExpressionParameter,
  text: string | undefined,
  placeholders: Placeholders,
): BoundCondition | undefined {
  return text === undefined
    ? undefined
    : bindCondition(parameter, conditionAst(parameter, text), placeholders)
}

/** A projection ready to be used; nothing when there is none. */
export function boundProjection(
  text: string | undefined,
  placeholders: Placeholders,
): Projection | undefined {
  if (text === undefined) return undefined
  return bindProjection(
    cached(projections, text, () => parseProjection(text, isReservedWord)),
    placeholders,
  )
}

function cached<T extends object>(cache: LRUCache<string, T>, key: string, parse: () => T): T {
  const present = cache.get(key)
  if (present !== undefined) return present
  const parsed = parse()
  cache.set(key, parsed)
  return parsed
}
