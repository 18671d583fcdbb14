import type { CapacitySettings } from './capacity-settings.js'
import type { BillingMode } from './throughput.js'

/** The capacity that a table or an index is allowed, in units a second. On-demand capacity has units where it has a maximum. */
export interface AllowedCapacity {
  readonly billingMode: BillingMode
  readonly readUnits?: number
  readonly writeUnits?: number
}

/** A change of that capacity. */
export interface CapacityChange {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly from: AllowedCapacity
  readonly to: AllowedCapacity
}

/** The change between two settings, or `undefined` if they allow the same. */
export function capacityChange(
  before: CapacitySettings,
  after: CapacitySettings,
  at: number,
): CapacityChange | undefined {
  const [from, to] = [allowed(before), allowed(after)]
  const isSame =
    from.billingMode === to.billingMode &&
    from.readUnits === to.readUnits &&
    from.writeUnits === to.writeUnits
  return isSame ? undefined : { at, from, to }
}

function allowed({ billingMode, throughput, onDemandMaximum }: CapacitySettings): AllowedCapacity {
  const { readUnits, writeUnits } = billingMode === 'PROVISIONED' ? throughput : (onDemandMaximum ?? {})
  return {
    billingMode,
    ...(readUnits === undefined ? {} : { readUnits }),
    ...(writeUnits === undefined ? {} : { writeUnits }),
  }
}
