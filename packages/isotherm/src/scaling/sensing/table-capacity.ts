import { DescribeTableCommand, type TableDescription } from '@aws-sdk/client-dynamodb'
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

/** The limits of an on-demand table, in units per second. */
interface OnDemandCapacity {
  readonly mode: 'on-demand'
  readonly read: OnDemandLimits
  readonly write: OnDemandLimits
}

interface OnDemandLimits {
  /** The maximum that the table's owner has set. */
  readonly maximum: number | undefined
  /** The warm throughput: what the table's partitions accept together. Older services and other engines do not have it. */
  readonly warm: number | undefined
}

/** The billing mode and capacity of a table. */
export type TableCapacity = OnDemandCapacity | ProvisionedCapacity

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
    if (onDemand) return onDemandCapacity(Table)
    return { mode: 'provisioned', readUnits, writeUnits, isUpdating: Table?.TableStatus === 'UPDATING' }
  }
}

function onDemandCapacity({ OnDemandThroughput, WarmThroughput }: TableDescription = {}): OnDemandCapacity {
  return {
    mode: 'on-demand',
    read: {
      maximum: limit(OnDemandThroughput?.MaxReadRequestUnits),
      warm: limit(WarmThroughput?.ReadUnitsPerSecond),
    },
    write: {
      maximum: limit(OnDemandThroughput?.MaxWriteRequestUnits),
      warm: limit(WarmThroughput?.WriteUnitsPerSecond),
    },
  }
}

/** The service has -1 for no maximum. */
function limit(units: number | undefined): number | undefined {
  return units === undefined || units <= 0 ? undefined : units
}
