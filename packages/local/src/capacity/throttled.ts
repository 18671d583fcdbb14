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

/** A request that found no capacity. Nothing was taken and nothing was changed. */
export class Throttled extends Error {
  override readonly name = 'Throttled'
  readonly billingMode: BillingMode
  readonly reasons: readonly [ThrottledResource, ...ThrottledResource[]]

  constructor(billingMode: BillingMode, reasons: readonly [ThrottledResource, ...ThrottledResource[]]) {
    super(reasons.map(({ reason }) => reason).join(', '))
    this.billingMode = billingMode
    this.reasons = reasons
  }
}
