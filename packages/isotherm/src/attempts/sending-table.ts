import type { Clock, Random } from '@isotherm/runtime'
import type { KeyedTable } from '../keys/keyed-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'

/** A table that requests are sent to. */
export interface SendingTable extends KeyedTable {
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
}
