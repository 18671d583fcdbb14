import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { PhysicalClient } from '../../sdk/physical-client.js'

/** The capacity of a provisioned table, in units per second. */
export interface ProvisionedCapacity {
  readonly mode: 'provisioned'
  readonly readUnits: number
  readonly writeUnits: number
  /** Whether the table is being updated, so that no other update is possible, and the units may be the former ones. */
  readonly isUpdating: boolean
}

/** The billing mode and capacity of a table. */
export type TableCapacity = { readonly mode: 'on-demand' } | ProvisionedCapacity

/** DescribeTable has a low rate limit, and the capacity rarely changes. */
const LIFETIME_MILLISECONDS = 60_000

/** Reads a table's capacity on demand, and caches it for a minute. */
export class TableCapacityReader {
  readonly #client: PhysicalClient
  readonly #clock: Clock
  readonly #table: string
  #known: { readonly capacity: Promise<TableCapacity>; readonly fetchedAt: number } | undefined

  constructor(client: PhysicalClient, clock: Clock, table: string) {
    this.#client = client
    this.#clock = clock
    this.#table = table
  }

  /** The capacity, at most a minute old. A failure is cached, too, so that a rejected request is not repeated. */
  read(): Promise<TableCapacity> {
    const now = this.#clock.now()
    if (this.#known === undefined || now - this.#known.fetchedAt >= LIFETIME_MILLISECONDS) {
      this.#known = { capacity: this.readNow(), fetchedAt: now }
    }
    return this.#known.capacity
  }

  /** The current capacity, without the cache. */
  async readNow(): Promise<TableCapacity> {
    const { Table } = await this.#client.send(new DescribeTableCommand({ TableName: this.#table }))
    // A table that was never on-demand may have no billing mode summary. An on-demand table has zero units.
    const writeUnits = Table?.ProvisionedThroughput?.WriteCapacityUnits ?? 0
    const readUnits = Table?.ProvisionedThroughput?.ReadCapacityUnits ?? 0
    const onDemand = Table?.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' || writeUnits === 0
    if (onDemand) return { mode: 'on-demand' }
    return { mode: 'provisioned', readUnits, writeUnits, isUpdating: Table?.TableStatus === 'UPDATING' }
  }
}
