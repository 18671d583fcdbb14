import type { Emit } from '../../events/event.js'
import type { CountedTable } from '../shard-map/counted-table.js'

/** A table whose items move between shards. */
export interface MovingTable extends CountedTable {
  readonly emit: Emit
}
