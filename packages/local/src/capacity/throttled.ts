import type { BillingMode } from '../table/table-definition.js'

/**
 * Why a request was throttled: what was asked (table or index), how (read or write), and which limit.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
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
 * A request, or a part of one, that found no capacity. Nothing was taken and nothing was changed.
 *
 * It is thrown and yet no error: under load most requests end with it, it never leaves the engine but in the service's
 * own words, and the stack that an error takes down costs more than the work that was refused.
 */
export class Throttled {
  readonly billingMode: BillingMode
  readonly reasons: readonly [ThrottledResource, ...ThrottledResource[]]

  constructor(billingMode: BillingMode, reasons: readonly [ThrottledResource, ...ThrottledResource[]]) {
    this.billingMode = billingMode
    this.reasons = reasons
  }
}
