import type { MovingTable } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import type { WriteHeat } from '../scaling/write-heat.js'

/** A table to which items are written. A write completes the move of its item. */
export interface WrittenTable extends MovingTable, ReadTable {
  readonly heat: WriteHeat
}
