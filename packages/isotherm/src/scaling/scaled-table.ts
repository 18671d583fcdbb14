import type { SendingTable } from '../attempts/sending-table.js'
import type { Emit } from '../events/event.js'

/** A table whose keys are given their counts. */
export interface ScaledTable extends SendingTable {
  readonly emit: Emit
}
