import type { BillingMode } from './throughput.js'

/**
 * Why a request was throttled: the kind of resource (table or index), the kind of access (read or write), and the
 * limit. Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export type ThrottlingReason =
  | `${'Table' | 'Index'}${'Read' | 'Write'}${'KeyRange' | 'Provisioned' | 'MaxOnDemand'}ThroughputExceeded`
  | `${'Table' | 'Index'}${'Read' | 'Write'}AccountLimitExceeded`

export interface ThrottledResource {
  readonly reason: ThrottlingReason
  /** ARN of the table or index. */
  readonly resource: string
}

/**
 * Thrown for a request, or a part of one, that was throttled. No units were taken and no data was changed.
 *
 * It does not extend `Error`. Under load most requests end this way, it never leaves the engine in this form, and
 * capturing an error's stack costs more than the rejected work.
 */
export class Throttled {
  readonly billingMode: BillingMode
  readonly reasons: readonly [ThrottledResource, ...ThrottledResource[]]

  constructor(billingMode: BillingMode, reasons: readonly [ThrottledResource, ...ThrottledResource[]]) {
    this.billingMode = billingMode
    this.reasons = reasons
  }
}
