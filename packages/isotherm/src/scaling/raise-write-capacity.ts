import { UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { Emit } from '../events/event.js'
import { invalidOption, refuseUnknown, requireInteger } from '../options/check.js'
import { type Duration, parseDuration } from '../options/duration.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { isProvisionedLimit } from '../sdk/throttle.js'
import type { TableCapacityReader } from './sensing/table-capacity.js'
import type { TableThrottles } from './sensing/table-throttles.js'

/** Permission to raise a table's provisioned write capacity. */
export interface WriteCapacityRaise extends CapacityRaise {
  readonly kind: 'raise'
  /**
   * The value carries its own implementation, so that bundles of applications that do not use it exclude it.
   * @internal
   */
  readonly open: (options: CapacityRaiserOptions) => CapacityRaiser
}

/** Options of `raiseWriteCapacity`. */
export interface WriteCapacityRaiseOptions {
  /** The maximum write capacity, in units per second. It limits the cost. */
  readonly maxWriteUnits: number
  /** The factor by which each raise multiplies the current capacity, above 1 and at most 10. Default 1.5. */
  readonly factor?: number
  /** The minimum time between two raises by this process. Default `'60s'`. */
  readonly cooldown?: Duration
}

/**
 * Raises the provisioned write capacity of a table when the table as a whole is throttled, which more shards cannot
 * solve. It calls `UpdateTable`, and never lowers the capacity.
 *
 * The credentials need the permissions `dynamodb:DescribeTable` and `dynamodb:UpdateTable`.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example tables: { audit_log: { ..., capacity: raiseWriteCapacity({ maxWriteUnits: 20_000 }) } }
 */
export function raiseWriteCapacity(options: WriteCapacityRaiseOptions): WriteCapacityRaise {
  refuseUnknown('raiseWriteCapacity', options, ['maxWriteUnits', 'factor', 'cooldown'])
  const { maxWriteUnits, factor = 1.5, cooldown = '60s' } = options
  if (!(typeof factor === 'number' && factor > 1 && factor <= 10)) {
    throw invalidOption('raiseWriteCapacity.factor', factor, 'a number above 1 and at most 10')
  }
  return Object.freeze({
    kind: 'raise',
    maxWriteUnits: requireInteger(
      'raiseWriteCapacity.maxWriteUnits',
      maxWriteUnits,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    factor,
    cooldownMilliseconds: parseDuration('raiseWriteCapacity.cooldown', cooldown),
    // `this` may be a copy of the object with other values.
    open(this: WriteCapacityRaise, options: CapacityRaiserOptions) {
      return new CapacityRaiser(this, options)
    },
  })
}

/** How far and how fast capacity is raised. */
interface CapacityRaise {
  readonly maxWriteUnits: number
  readonly factor: number
  readonly cooldownMilliseconds: number
}

interface CapacityRaiserOptions {
  readonly table: string
  readonly client: PhysicalClient
  readonly capacity: TableCapacityReader
  readonly clock: Clock
  readonly emit: Emit
  /** Emits an event for throttles that a raise cannot prevent. */
  readonly teller: TableThrottles
}

/** Raises the provisioned capacity of a throttled table up to the maximum. If it cannot, it emits an event. */
class CapacityRaiser {
  readonly #raiseTo: CapacityRaise
  readonly #options: CapacityRaiserOptions
  #raisedAt = Number.NEGATIVE_INFINITY

  constructor(raise: CapacityRaise, options: CapacityRaiserOptions) {
    this.#raiseTo = raise
    this.#options = options
  }

  /**
   * Handles a write that was throttled by the table. Never throws.
   * @param reasons empty if the service gave none, and the table's capacity and write rate showed the cause
   */
  throttled(reasons: readonly string[]): void {
    const { clock, teller } = this.#options
    const isProvisioned = reasons.length === 0 || isProvisionedLimit(reasons)
    if (!isProvisioned) {
      teller.throttled(reasons)
      return
    }
    const now = clock.now()
    if (now - this.#raisedAt < this.#raiseTo.cooldownMilliseconds) return
    // Set before the request, so that concurrent throttles cause only one request.
    this.#raisedAt = now
    this.#raise(reasons).catch((error: unknown) => this.#failed(error))
  }

  async #raise(reasons: readonly string[]): Promise<void> {
    const { table, client, capacity, clock, emit, teller } = this.#options
    const { maxWriteUnits, factor } = this.#raiseTo
    const current = await capacity.readNow()
    if (current.mode === 'on-demand' || current.writeUnits >= maxWriteUnits) return teller.throttled(reasons)
    const to = Math.min(maxWriteUnits, Math.ceil(current.writeUnits * factor))
    const command = new UpdateTableCommand({
      TableName: table,
      ProvisionedThroughput: { ReadCapacityUnits: current.readUnits, WriteCapacityUnits: to },
    })
    await client.send(command)
    emit({ type: 'capacity-raised', table, from: current.writeUnits, to, at: clock.now() })
  }

  #failed(error: unknown): void {
    // Another process or an operator is already updating the table.
    if (error instanceof Error && error.name === 'ResourceInUseException') return
    const { table, clock, emit } = this.#options
    emit({ type: 'failed', table, task: 'raise-capacity', error, at: clock.now() })
  }
}
