import type { Clock } from '@isotherm/runtime'
import type { KeyedTable } from '../keys/keyed-table.js'
import type { PhysicalClient } from '../sdk/physical-client.js'

/** A table whose indexes are compared with its options. */
export interface CheckedTable {
  readonly options: KeyedTable['options']
  readonly client: PhysicalClient
  readonly clock: Clock
}
