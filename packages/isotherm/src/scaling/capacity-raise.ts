import type { Clock } from '@isotherm/runtime'
import type { Access, Emit } from '../events/event.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { TableCapacityReader } from './sensing/table-capacity.js'
import type { TableThrottles } from './sensing/table-throttles.js'

interface AnyRaise {
  readonly kind: 'raise'
  readonly factor: number
  readonly cooldownMilliseconds: number
  /**
   * The value carries its own implementation, so that bundles of applications that do not use it exclude it. All raises
   * of a table share one raiser, because a request sets the read and the write capacity together.
   * @internal
   */
  readonly open: OpenCapacityRaiser
}

/** Permission to raise a table's provisioned write capacity. */
export interface WriteCapacityRaise extends AnyRaise {
  readonly access: 'write'
  readonly maxWriteUnits: number
}

/** Permission to raise a table's provisioned read capacity. */
export interface ReadCapacityRaise extends AnyRaise {
  readonly access: 'read'
  readonly maxReadUnits: number
}

/** Permission to raise a table's provisioned capacity. */
export type CapacityRaise = WriteCapacityRaise | ReadCapacityRaise

/** Handles requests that were throttled by the table as a whole. */
export interface TableThrottleHandler {
  /**
   * Never throws.
   * @param reasons empty if the service gave none, and the table's capacity and rate showed the cause
   */
  throttled(reasons: readonly string[], access: Access): void
}

export interface CapacityRaiserOptions {
  readonly table: string
  readonly client: PhysicalClient
  readonly capacity: TableCapacityReader
  readonly clock: Clock
  readonly emit: Emit
  /** Emits an event for throttles that a raise cannot prevent. */
  readonly teller: TableThrottles
}

/** @param raises at most one for reads, and one for writes */
type OpenCapacityRaiser = (
  raises: readonly CapacityRaise[],
  options: CapacityRaiserOptions,
) => TableThrottleHandler
