import type { Emit } from '../../events/event.js'
import type { CountedTable } from '../shard-map/counted-table.js'

/** A table whose items are moved from shard to shard. */
export interface MovingTable extends CountedTable {
  readonly emit: Emit
}
