import type { BillingMode, OnDemandMaximum, Throughput } from './throughput.js'

/** The settings that decide the capacity of a table or index. */
export interface CapacitySettings {
  readonly billingMode: BillingMode
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  readonly warmThroughput?: Throughput
}
