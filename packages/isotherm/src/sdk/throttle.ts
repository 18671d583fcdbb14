import type { Access, ThrottleScope } from '../events/event.js'

/** A throttling error of the SDK. */
export interface Throttle {
  readonly error: Error
  /**
   * The service's reasons, such as `TableWriteKeyRangeThroughputExceeded`, or empty when there are none. A
   * `RequestLimitExceeded` without reasons is its own reason.
   */
  readonly reasons: readonly string[]
}

/**
 * The account's quota is exhausted, independently of partitions. Of the three errors, only this one has a single
 * meaning. Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const ACCOUNT_LIMIT = 'RequestLimitExceeded'

/**
 * The service's choice among the three errors depends on the billing mode and has changed over time. Only the reasons
 * identify the exhausted limit.
 */
const THROTTLING_ERRORS: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  ACCOUNT_LIMIT,
])

const PROVISIONED_LIMIT: Readonly<Record<Access, string>> = {
  read: 'TableReadProvisionedThroughputExceeded',
  write: 'TableWriteProvisionedThroughputExceeded',
}

/** @returns `undefined` for any other error */
export function throttleOf(error: unknown): Throttle | undefined {
  if (!(error instanceof Error) || !THROTTLING_ERRORS.has(error.name)) return undefined
  return { error, reasons: reasonsOf(error) }
}

/**
 * The resource that throttled the request.
 *
 * Of several reasons the widest one decides, because more shards do not help while the whole table is throttled.
 *
 * @returns `undefined` when the reasons do not identify it Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function scopeOf(reasons: readonly string[]): Exclude<ThrottleScope, 'unknown'> | undefined {
  let scope: Exclude<ThrottleScope, 'unknown'> | undefined
  for (const reason of reasons) {
    if (reason === ACCOUNT_LIMIT || (reason.startsWith('Table') && !reason.includes('KeyRange'))) {
      // mark: limit-of-a-table-is-of-no-partition
      return 'table'
    }
    if (reason.startsWith('Index')) scope = 'index'
    else if (reason.startsWith('Table')) scope ??= 'partition'
  }
  return scope
}

/** Whether more provisioned capacity of the table would help. */
export function isProvisionedLimit(reasons: readonly string[], access: Access): boolean {
  return reasons.includes(PROVISIONED_LIMIT[access])
}

/** Two of the exceptions spell the member with a capital, and the third without. */
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
