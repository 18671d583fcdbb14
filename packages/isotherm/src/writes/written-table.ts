import type { MovingTable } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import type { WriteHeat } from '../scaling/write-heat.js'
import type { CoolShards } from './cool-shards.js'
import type { UpdateHabit } from './update-habit.js'

/** A table to which items are written. A write completes the move of its item. */
export interface WrittenTable extends MovingTable, ReadTable {
  readonly heat: WriteHeat
  /** Where writes with a random suffix go. */
  readonly coolShards: CoolShards
  /** Whether writes that need their item usually find it. */
  readonly updateHabit: UpdateHabit
}
