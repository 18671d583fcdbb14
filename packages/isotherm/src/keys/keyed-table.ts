import type { PlacementKind, ShardedTable } from '../options/sharded-table.js'
import type { Suffix } from './suffix.js'

/** A table and how its keys are stored. */
export interface KeyedTable {
  readonly options: ShardedTable
  readonly suffix: Suffix
  readonly placementKind: PlacementKind
}
