import {
  type AttributeNames,
  type BoundCondition,
  type BoundUpdate,
  bindCondition,
  bindProjection,
  bindUpdate,
  type ConditionAst,
  type ExpressionParameter,
  MAX_EXPRESSION_BYTES,
  type Placeholders,
  type Projection,
  type ProjectionAst,
  parseCondition,
  parseProjection,
  parseUpdate,
  reservedWordText,
  type UpdateAst,
} from '@isotherm/semantics'
import { LRUCache } from 'lru-cache'
import { validationException } from '../errors/service-error.js'
import { decodePlaceholders } from '../validation/decode-item.js'
import { VALUE_LAYER, type ValueLayer } from '../validation/value-layer.js'
import { DecodedPlaceholders } from './decoded-placeholders.js'

/** Applications have tens of expressions. Each is parsed once. */
const CACHED_EXPRESSIONS = 2000

/**
 * One cache for each parameter, because a text may be valid in one parameter and invalid in another. Joining both into
 * one cache key takes longer.
 */
const conditions = new Map<ExpressionParameter, LRUCache<string, ConditionAst>>()
const updates = new LRUCache<string, UpdateAst>({ max: CACHED_EXPRESSIONS })
const projections = new LRUCache<string, ProjectionAst>({ max: CACHED_EXPRESSIONS })

/** The members of a request that contain expressions and their placeholders. */
export interface ExpressionInput {
  readonly ExpressionAttributeNames?: AttributeNames
  readonly ExpressionAttributeValues?: { readonly [placeholder: string]: unknown }
}

const NO_PLACEHOLDERS = new DecodedPlaceholders()

/**
 * The placeholders of a request.
 *
 * @param expressions the request's expressions. Placeholders without any expression are rejected.
 * @param layer the component of the service that reads the values.
 * @throws ServiceError
 */
export function placeholdersOf(
  { ExpressionAttributeNames: names, ExpressionAttributeValues: givenValues }: ExpressionInput,
  expressions: { readonly [parameter: string]: string | undefined },
  layer: ValueLayer = VALUE_LAYER,
): DecodedPlaceholders {
  if (names === undefined && givenValues === undefined) return NO_PLACEHOLDERS
  let hasExpression = false
  let takesValues = false
  let usesValues = false
  for (const parameter in expressions) {
    const isGiven = expressions[parameter] !== undefined
    hasExpression ||= isGiven
    if (parameter === 'ProjectionExpression') continue
    takesValues = true
    usesValues ||= isGiven
  }
  // A request that only projects has no such parameter, and unknown parameters are ignored.
  const values = takesValues ? givenValues : undefined
  if (names !== undefined && !hasExpression) {
    throw validationException('ExpressionAttributeNames can only be specified when using expressions')
  }
  if (values !== undefined && !usesValues) throw validationException(unusedValuesText(expressions))
  // Listing the members of a large object is slow, so they are listed once.
  if (names !== undefined) {
    const listed = Object.keys(names)
    if (listed.length === 0) throw validationException('ExpressionAttributeNames must not be empty')
    if (listed.length > MAX_PLACEHOLDERS) {
      new DecodedPlaceholders(firstUnused(names, listed, expressions)).assertAllUsed()
    }
  }
  if (values === undefined) return new DecodedPlaceholders(names)
  const listed = Object.keys(values)
  if (listed.length === 0) throw validationException('ExpressionAttributeValues must not be empty')
  if (listed.length > MAX_PLACEHOLDERS) {
    const unused = decodePlaceholders(firstUnused(values, listed, expressions), layer)
    new DecodedPlaceholders(undefined, unused).assertAllUsed()
  }
  return new DecodedPlaceholders(names, decodePlaceholders(values, layer))
}

/** PutItem and DeleteItem, which take no other expression, do not name it. */
function unusedValuesText(expressions: { readonly [parameter: string]: string | undefined }): string {
  const takers = Object.keys(expressions).filter((parameter) => parameter !== 'ProjectionExpression')
  const [only] = takers
  const which =
    takers.length === 1 && only === 'ConditionExpression'
      ? ''
      : `: ${takers.join(' and ')} ${takers.length > 1 ? 'are' : 'is'} null`
  return `ExpressionAttributeValues can only be specified when using expressions${which}`
}

/**
 * More than expressions can have: a request has three at most, and a placeholder two characters. Some of more placeholders
 * must be unused. They are refused before most of them are looked at, because a request of 16 MB can have 100,000.
 */
export const MAX_PLACEHOLDERS = (3 * MAX_EXPRESSION_BYTES) / 2
/** The error lists so many of them. */
const MAX_LISTED = 1000

/** The first placeholders that no expression uses. */
function firstUnused<Value>(
  given: { readonly [placeholder: string]: Value },
  listed: readonly string[],
  expressions: { readonly [parameter: string]: string | undefined },
): { readonly [placeholder: string]: Value } {
  const used = new Set(Object.values(expressions).flatMap((text) => text?.match(/[#:]\w+/g) ?? []))
  const unused = listed.filter((name) => !used.has(name)).slice(0, MAX_LISTED)
  return Object.fromEntries(unused.map((name) => [name, given[name] as Value]))
}

/** The parsed expression, cached. */
export function conditionAst(parameter: ExpressionParameter, text: string): ConditionAst {
  let parsed = conditions.get(parameter)
  if (parsed === undefined) {
    parsed = new LRUCache({ max: CACHED_EXPRESSIONS })
    conditions.set(parameter, parsed)
  }
  return cached(parsed, text, () => parseCondition(parameter, text, reservedWordText))
}

export function updateAst(text: string): UpdateAst {
  return cached(updates, text, () => parseUpdate(text, reservedWordText))
}

/** An update expression with its placeholders bound. */
export function boundUpdate(text: string, placeholders: Placeholders): BoundUpdate {
  return bindUpdate(updateAst(text), placeholders)
}

/** A condition with its placeholders bound, or `undefined` when there is none. */
export function boundCondition(
  parameter: ExpressionParameter,
  text: string | undefined,
  placeholders: Placeholders,
): BoundCondition | undefined {
  return text === undefined
    ? undefined
    : bindCondition(parameter, conditionAst(parameter, text), placeholders)
}

/** A projection with its placeholders bound, or `undefined` when there is none. */
export function boundProjection(
  text: string | undefined,
  placeholders: Placeholders,
): Projection | undefined {
  if (text === undefined) return undefined
  return bindProjection(
    cached(projections, text, () => parseProjection(text, reservedWordText)),
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
