import type { MovingTable } from '../protocol/moves/moving-table.js'
import type { WriteHeat } from '../scaling/write-heat.js'

/** A table that items are written to. A write finishes the move of its item. */
export interface WrittenTable extends MovingTable {
  readonly heat: WriteHeat
}
