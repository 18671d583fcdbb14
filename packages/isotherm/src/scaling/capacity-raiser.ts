import { UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import type { Access } from '../events/event.js'
import { isProvisionedLimit } from '../sdk/throttle.js'
import type { CapacityRaise, CapacityRaiserOptions, TableThrottleHandler } from './capacity-raise.js'
import type { ProvisionedCapacity } from './sensing/table-capacity.js'

/** How soon a raise is tried again that another update of the table has prevented. Updates take seconds to minutes. */
const BUSY_MILLISECONDS = 5_000

/** The raises of the read capacity, or of the write capacity. */
interface Side {
  readonly raise: CapacityRaise
  /** Nothing is raised before. */
  nextAt: number
  /** The units that the table had when another update prevented a raise. */
  unitsWhenBusy: number | undefined
}

/**
 * Raises the provisioned capacity of a throttled table up to the maximum. If it cannot, it emits an event.
 *
 * `UpdateTable` sets the read and the write capacity together. So one raiser works for both, sends one request at a
 * time, and sends none while the table is being updated: another process may be raising the other capacity, and this
 * request would take it back.
 */
export class CapacityRaiser implements TableThrottleHandler {
  readonly #options: CapacityRaiserOptions
  readonly #sides = new Map<Access, Side>()
  /** The sides to raise with the next request, and the reasons of their throttles. */
  readonly #due = new Map<Access, readonly string[]>()
  #isRaising = false

  constructor(raises: readonly CapacityRaise[], options: CapacityRaiserOptions) {
    this.#options = options
    for (const raise of raises) {
      this.#sides.set(raise.access, { raise, nextAt: Number.NEGATIVE_INFINITY, unitsWhenBusy: undefined })
    }
  }

  throttled(reasons: readonly string[], access: Access): void {
    const { clock, teller } = this.#options
    const side = this.#sides.get(access)
    const isProvisioned = reasons.length === 0 || isProvisionedLimit(reasons, access)
    if (side === undefined || !isProvisioned) {
      teller.throttled(reasons, access)
      return
    }
    const now = clock.now()
    if (now < side.nextAt) return
    // Set before the request, so that concurrent throttles cause only one request.
    side.nextAt = now + side.raise.cooldownMilliseconds
    this.#due.set(access, reasons)
    if (!this.#isRaising) this.#raiseAll().catch((error: unknown) => this.#failed(error))
  }

  async #raiseAll(): Promise<void> {
    this.#isRaising = true
    try {
      while (this.#due.size > 0) {
        const current = await this.#options.capacity.readNow()
        const due = [...this.#due]
        this.#due.clear()
        if (current.mode === 'provisioned') await this.#raise(current, due)
        else for (const [access, reasons] of due) this.#options.teller.throttled(reasons, access)
      }
    } finally {
      this.#due.clear()
      this.#isRaising = false
    }
  }

  async #raise(
    current: ProvisionedCapacity,
    due: readonly (readonly [Access, readonly string[]])[],
  ): Promise<void> {
    const { table, client, clock, emit, teller } = this.#options
    if (current.isUpdating) return this.#postpone(current, due)
    const units = { read: current.readUnits, write: current.writeUnits }
    const raised: { readonly access: Access; readonly from: number; readonly to: number }[] = []
    for (const [access, reasons] of due) {
      const side = this.#sides.get(access)
      if (side === undefined) continue
      const from = units[access]
      const most = maxUnits(side.raise)
      const wasRaised = side.unitsWhenBusy !== undefined && from > side.unitsWhenBusy
      side.unitsWhenBusy = undefined
      // The other update has raised this side, so the throttles before it count no more.
      if (wasRaised) continue
      if (from >= most) {
        teller.throttled(reasons, access)
        continue
      }
      units[access] = Math.min(most, Math.ceil(from * side.raise.factor))
      raised.push({ access, from, to: units[access] })
    }
    if (raised.length === 0) return
    const command = new UpdateTableCommand({
      TableName: table,
      ProvisionedThroughput: { ReadCapacityUnits: units.read, WriteCapacityUnits: units.write },
    })
    try {
      await client.send(command)
    } catch (error) {
      if (error instanceof Error && error.name === 'ResourceInUseException') {
        return this.#postpone(current, due)
      }
      throw error
    }
    for (const each of raised) emit({ type: 'capacity-raised', table, ...each, at: clock.now() })
  }

  /** Another process or an operator is already updating the table. */
  #postpone(current: ProvisionedCapacity, due: readonly (readonly [Access, readonly string[]])[]): void {
    const { clock } = this.#options
    for (const [access] of due) {
      const side = this.#sides.get(access)
      if (side === undefined) continue
      side.unitsWhenBusy ??= access === 'read' ? current.readUnits : current.writeUnits
      side.nextAt = Math.min(side.nextAt, clock.now() + BUSY_MILLISECONDS)
    }
  }

  #failed(error: unknown): void {
    const { table, clock, emit } = this.#options
    emit({ type: 'failed', table, task: 'raise-capacity', error, at: clock.now() })
  }
}

function maxUnits(raise: CapacityRaise): number {
  return raise.access === 'read' ? raise.maxReadUnits : raise.maxWriteUnits
}
