import type { ThrottleScope } from '../events/event.js'

/** A refusal because some capacity was exhausted, as the SDK gives it. */
export interface Throttle {
  readonly error: Error
  /**
   * As the service names them, such as `TableWriteKeyRangeThroughputExceeded`; empty where it names none. A
   * `RequestLimitExceeded` without any is its own reason.
   */
  readonly reasons: readonly string[]
}

/**
 * The account's quota is exhausted, whatever the partition: the only one of the three that means one thing.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const ACCOUNT_LIMIT = 'RequestLimitExceeded'

/** Which of the three is thrown differs with the billing mode and over time; only the reasons tell what is exhausted. */
const THROTTLING_ERRORS: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  ACCOUNT_LIMIT,
])

/** @returns `undefined` for an error that is no throttle */
export function throttleOf(error: unknown): Throttle | undefined {
  if (!(error instanceof Error) || !THROTTLING_ERRORS.has(error.name)) return undefined
  return { error, reasons: reasonsOf(error) }
}

/**
 * Where the throttle came from.
 *
 * Of several reasons the widest decides: more shards do not help while the whole table is refused.
 *
 * @returns `undefined` when the reasons do not tell
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function scopeOf(reasons: readonly string[]): Exclude<ThrottleScope, 'unknown'> | undefined {
  let scope: Exclude<ThrottleScope, 'unknown'> | undefined
  for (const reason of reasons) {
    if (reason === ACCOUNT_LIMIT || (reason.startsWith('Table') && !reason.includes('KeyRange')))
      return 'table'
    if (reason.startsWith('Index')) scope = 'index'
    else if (reason.startsWith('Table')) scope ??= 'partition'
  }
  return scope
}

/** Whether more provisioned capacity would help. */
export function isProvisionedLimit(reasons: readonly string[]): boolean {
  return reasons.some((reason) => reason.startsWith('Table') && reason.includes('ProvisionedThroughput'))
}

/** The member is spelt with a capital in two of the exceptions and without in the third. */
function reasonsOf(error: ErrorWithReasons): readonly string[] {
  const listed = error.ThrottlingReasons ?? error.throttlingReasons
  const entries: readonly Reason[] = Array.isArray(listed) ? listed : []
  const reasons = entries.map((entry) => entry?.reason).filter((reason) => typeof reason === 'string')
  return reasons.length === 0 && error.name === ACCOUNT_LIMIT ? [ACCOUNT_LIMIT] : reasons
}

interface ErrorWithReasons extends Error {
  readonly ThrottlingReasons?: unknown
  readonly throttlingReasons?: unknown
}

type Reason = { readonly reason?: unknown } | undefined
