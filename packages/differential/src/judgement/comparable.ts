import type { Answer } from '../endpoint.js'
import type { Step } from '../families/family.js'
import { isJsonObject, type JsonObject } from '../json.js'
import { canonical, sorted } from './canonical.js'

/** A response in the form in which the two sides are compared. */
export type Comparable = ComparableError | { readonly status: 200; readonly body: unknown }

export interface ComparableError {
  readonly status: number
  readonly error: string
  readonly message: string
  /** Members of the error other than its message, such as `CancellationReasons`. */
  readonly members: JsonObject
}

export function isError(answer: Comparable): answer is ComparableError {
  return 'error' in answer
}

/** The part of a response that must be equal on both sides. */
export function comparable(step: Step, { status, body }: Answer): Comparable {
  if (status !== 200) return comparableError(status, body)
  return { status, body: withoutOrder(step, canonical(body)) }
}

/**
 * The service counts one error of a write or a query even when its text is not that of a constraint. DynamoDB Local
 * does not.
 */
const COUNT_OF_ONE = /^1 validation error detected: (?!Value |Failed to satisfy)/

function comparableError(status: number, body: unknown): ComparableError {
  if (!isJsonObject(body)) return { status, error: '', message: String(body), members: {} }
  const { __type: type, message, Message, ...members } = body
  return {
    status,
    error: String(type).replace(/^.*#/, ''),
    message: String(message ?? Message ?? '').replace(COUNT_OF_ONE, ''),
    members: canonical(members) as JsonObject,
  }
}

/**
 * Three orders differ between the sides: the order of a Scan, which depends on each side's hash; that of entries of a
 * global index with equal keys; and that of a batch's results.
 */
function withoutOrder({ operation, request }: Step, body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const { Items: items, Responses: responses } = body
  const ordered = operation === 'Query' && !('IndexName' in request)
  if (Array.isArray(items) && !ordered) return { ...body, Items: sorted(items) }
  if (operation === 'BatchGetItem' && isJsonObject(responses)) {
    const byTable = Object.entries(responses).map(([table, found]) => [table, sorted(found as unknown[])])
    return { ...body, Responses: Object.fromEntries(byTable) }
  }
  return body
}
