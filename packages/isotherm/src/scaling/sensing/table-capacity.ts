import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import type { PhysicalClient } from '../../sdk/physical-client.js'

/** How a table is billed; units are write (or read) units a second. */
export type TableCapacity =
  | { readonly mode: 'on-demand' }
  | { readonly mode: 'provisioned'; readonly readUnits: number; readonly writeUnits: number }

/** DescribeTable has a small rate limit of its own, and the answer changes when people change it. */
const LIFETIME_MILLISECONDS = 60_000

/** A table's capacity, asked for when it matters and remembered for a minute. */
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

  /** As known, at most a minute old. A failure is remembered as long, so that a refusal is not asked for again and again. */
  read(): Promise<TableCapacity> {
    const now = this.#clock.now()
    if (this.#known === undefined || now - this.#known.fetchedAt >= LIFETIME_MILLISECONDS) {
      this.#known = { capacity: this.readNow(), fetchedAt: now }
    }
    return this.#known.capacity
  }

  /** As it is at this moment. */
  async readNow(): Promise<TableCapacity> {
    const { Table } = await this.#client.send(new DescribeTableCommand({ TableName: this.#table }))
    // A table that was never on-demand may have no billing mode summary; an on-demand one has zeros.
    const writeUnits = Table?.ProvisionedThroughput?.WriteCapacityUnits ?? 0
    const readUnits = Table?.ProvisionedThroughput?.ReadCapacityUnits ?? 0
    const onDemand = Table?.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' || writeUnits === 0
    return onDemand ? { mode: 'on-demand' } : { mode: 'provisioned', readUnits, writeUnits }
  }
}
