import type { LogicalKey } from '../../keys/key.js'
import type { MovingTable, ShardMap, TableCards } from '../../protocol/index.js'

/** A table whose initial count is changed. */
export interface MigratedTable {
  readonly table: MovingTable
  readonly cards: TableCards
  readonly shardMap: ShardMap
  /** A key of the table's type. The card has such a key. */
  readonly like: LogicalKey
}
