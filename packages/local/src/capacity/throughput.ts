/** How a table is billed: for the capacity that it has, or for what it uses. */
export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST'

/** Units per second. On-demand tables have 0 of both, as the service reports them. */
export interface Throughput {
  readonly readUnits: number
  readonly writeUnits: number
}

/** The maximum units per second of an on-demand table or index. A missing member means that no maximum was set. */
export interface OnDemandMaximum {
  readonly readUnits?: number
  readonly writeUnits?: number
}

/** The larger of each, separately for reads and writes. */
export function larger(a: Throughput, b: Throughput): Throughput {
  return {
    readUnits: Math.max(a.readUnits, b.readUnits),
    writeUnits: Math.max(a.writeUnits, b.writeUnits),
  }
}

export function sameThroughput(a: Throughput, b: Throughput): boolean {
  return a.readUnits === b.readUnits && a.writeUnits === b.writeUnits
}

/** The initial throughput of a table or index. */
export function warmAtStart(billingMode: BillingMode, throughput: Throughput): Throughput {
  return billingMode === 'PROVISIONED' ? throughput : ON_DEMAND_START
}

/** Documented: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html */
export const ON_DEMAND_START: Throughput = { readUnits: 12_000, writeUnits: 4_000 }
