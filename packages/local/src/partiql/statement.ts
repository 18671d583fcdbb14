import {
  type Item,
  type Parameters,
  type ParsedStatement,
  parseStatement,
  type StatementAst,
} from '@isotherm/semantics'
import { LRUCache } from 'lru-cache'
import { ServiceError, validationException } from '../errors/service-error.js'
import { decodeItem } from '../validation/decode-item.js'
import type { Shape } from '../validation/shape.js'
import { OLDER_VALUE_LAYER } from '../validation/value-layer.js'

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html */
const MAX_STATEMENT_LENGTH = 8192
/** Applications have tens of statements. Each is parsed once. */
const CACHED_STATEMENTS = 1000

const statements = new LRUCache<string, ParsedStatement>({ max: CACHED_STATEMENTS })

/** The values of a request's parameters that were decoded before its operation began. */
const decoded = new WeakMap<readonly unknown[], Item>()

/** A statement in the form of PartiQL requests. */
export interface StatementInput {
  readonly Statement: string
  readonly Parameters?: readonly unknown[]
}

/** The members of `StatementInput`, for the shape of a request. */
export const STATEMENT_MEMBERS = {
  Statement: { type: 'string', length: { min: 1, max: MAX_STATEMENT_LENGTH }, required: true },
  Parameters: { type: 'list', of: { type: 'attribute-value' }, length: { min: 1 } },
} as const satisfies { readonly [name: string]: Shape & { readonly required?: true } }

/** A parsed statement, and the undecoded values of its parameters. */
export interface ParsedInput {
  readonly statement: StatementAst
  readonly given: readonly unknown[]
}

/** A statement with the decoded values of its parameters. */
export interface ReadyStatement {
  readonly statement: StatementAst
  readonly parameters: Parameters
}

/** @throws ServiceError or ValidationError for a statement with a syntax error or missing values. */
export function readStatement(input: StatementInput): ReadyStatement {
  return withParameters(parseInput(input))
}

/** @throws ServiceError or ValidationError for a statement with a syntax error or another number of parameters. */
export function parseInput({ Statement: text, Parameters: given = [] }: StatementInput): ParsedInput {
  const { statement, parameterCount } = parsed(text)
  if (parameterCount === given.length) return { statement, given }
  throw validationException("Number of parameters in request and statement don't match.")
}

/** @throws ServiceError for values that are not attribute values. */
export function withParameters({ statement, given }: ParsedInput): ReadyStatement {
  const values = decoded.get(given) ?? decodeParameters(given)
  // An item may be made of them, so nobody else gets them.
  decoded.delete(given)
  return { statement, parameters: Object.values(values) }
}

/**
 * Decodes the parameters of a statement before the operation of its request begins. So those of a large batch can be decoded in
 * different turns of the event loop. Errors are left to the operation.
 */
export function decodeParametersAhead(given: readonly unknown[]): void {
  try {
    decoded.set(given, decodeParameters(given))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

function decodeParameters(given: readonly unknown[]): Item {
  return decodeItem({ ...given }, OLDER_VALUE_LAYER)
}

function parsed(text: string): ParsedStatement {
  const present = statements.get(text)
  if (present !== undefined) return present
  const statement = parseStatement(text)
  statements.set(text, statement)
  return statement
}
