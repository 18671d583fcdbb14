import type { MovingTable } from '../protocol/moves/moving-table.js'
import type { WriteHeat } from '../scaling/write-heat.js'

/** A table to which items are written. A write completes the move of its item. */
export interface WrittenTable extends MovingTable {
  readonly heat: WriteHeat
}
