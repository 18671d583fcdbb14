import { UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { Emit } from '../events/event.js'
import type { WriteCapacityRaise } from '../options/raise-write-capacity.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { TableCapacityReader } from '../sensing/table-capacity.js'
import { isProvisionedLimit } from '../sensing/throttle.js'

/** Throttles come by the thousand; one sentence a second is enough to act on. */
const EVENT_INTERVAL_MILLISECONDS = 1_000

export interface CapacityRaiserOptions {
  readonly table: string
  readonly raise: WriteCapacityRaise | undefined
  readonly client: PhysicalClient
  readonly capacity: TableCapacityReader
  readonly clock: Clock
  readonly emit: Emit
}

/** Answers to a table that is too small as a whole: raises its provisioned capacity where allowed, or says so. */
export class CapacityRaiser {
  readonly #options: CapacityRaiserOptions
  #toldAt = Number.NEGATIVE_INFINITY
  #raisedAt = Number.NEGATIVE_INFINITY

  constructor(options: CapacityRaiserOptions) {
    this.#options = options
  }

  /** The table refused a write. `reasons` are empty where its own figures told. Never throws. */
  tableThrottled(reasons: readonly string[]): void {
    const { raise, clock } = this.#options
    const provisioned = reasons.length === 0 || isProvisionedLimit(reasons)
    if (raise === undefined || !provisioned) {
      this.#tell(reasons)
      return
    }
    const now = clock.now()
    if (now - this.#raisedAt < raise.cooldownMilliseconds) return
    // Set before the request, so that a thousand throttles at a time make one request.
    this.#raisedAt = now
    this.#raise(raise, reasons).catch((error: unknown) => this.#failed(error))
  }

  async #raise(raise: WriteCapacityRaise, reasons: readonly string[]): Promise<void> {
    const { table, client, capacity, clock, emit } = this.#options
    const current = await capacity.readNow()
    if (current.mode === 'on-demand' || current.writeUnits >= raise.maxWriteUnits) return this.#tell(reasons)
    const to = Math.min(raise.maxWriteUnits, Math.ceil(current.writeUnits * raise.factor))
    const command = new UpdateTableCommand({
      TableName: table,
      ProvisionedThroughput: { ReadCapacityUnits: current.readUnits, WriteCapacityUnits: to },
    })
    await client.send(command)
    emit({ type: 'capacity-raised', table, from: current.writeUnits, to, at: clock.now() })
  }

  #tell(reasons: readonly string[]): void {
    const { table, clock, emit } = this.#options
    const at = clock.now()
    if (at - this.#toldAt < EVENT_INTERVAL_MILLISECONDS) return
    this.#toldAt = at
    emit({ type: 'table-throttled', table, reasons, at })
  }

  #failed(error: unknown): void {
    // The table is being changed already, by another process or by people: what was wanted is under way.
    if (error instanceof Error && error.name === 'ResourceInUseException') return
    const { table, clock, emit } = this.#options
    emit({ type: 'failed', table, task: 'raise-capacity', error, at: clock.now() })
  }
}
