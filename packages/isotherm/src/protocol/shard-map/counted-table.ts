import type { SendingTable } from '../../attempts/sending-table.js'
import type { ShardViews } from '../states/shard-views.js'

/** A table whose keys have shard counts. */
export interface CountedTable extends SendingTable {
  readonly views: ShardViews
}
